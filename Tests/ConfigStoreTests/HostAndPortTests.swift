import ConfigStore
import Testing

struct HostAndPortTests {
    @Test(arguments: [
        ("127.0.0.1:3000", "127.0.0.1", 3000), ("[::1]:0", "::1", 0), ("db.example:65535", "db.example", 65_535),
    ])
    func `an address is read and written`(text: String, host: String, port: Int) {
        #expect(HostAndPort(text) == HostAndPort(host: host, port: port))
        #expect(HostAndPort(host: host, port: port).description == text)
    }

    @Test(arguments: ["", "host", "host:", ":1", "[]:1", "::1:1", "host:65536", "host:-1", "host:1x"])
    func `anything else is refused`(text: String) {
        #expect(HostAndPort(text) == nil)
    }

    @Test(arguments: [
        ("localhost", true), ("127.0.0.1", true), ("127.255.1.2", true), ("::1", true), ("0:0:0:0:0:0:0:1", true),
        ("::ffff:127.0.0.1", true), ("0.0.0.0", false), ("::", false), ("10.0.0.1", false), ("::ffff:10.0.0.1", false),
        ("1::1", false), ("127.1", false), ("127.0.0.1.example", false), ("127.0.0.1\0x", false), ("", false),
    ])
    func `loopback addresses lead to this machine only`(host: String, isLoopback: Bool) {
        #expect(HostAndPort(host: host, port: 1).isLoopback == isLoopback)
    }
}
