import ArgumentParser
import ConfigServer

/// Who is let in, and who is believed.
struct AccessOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("An origin whose pages may use the server; may be repeated; * is any.", valueName: "origin")
    )
    var corsOrigin: [String] = []

    @Option(
        help: ArgumentHelp(
            "A name that the server answers to without tokens, beside localhost; may be repeated: "
                + "--allow-host config.test --allow-host config.internal.",
            valueName: "name"
        )
    )
    var allowHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "A proxy that is believed when it says for whom it asks, by Forwarded, X-Forwarded-For or the PROXY "
                + "protocol; may be repeated: --trusted-proxy 10.0.0.0/8 --trusted-proxy ::1.",
            valueName: "address[/bits]"
        )
    )
    var trustedProxy: [String] = []

    /// Puts what the flags and the variables say into a server's settings.
    ///
    /// - Throws: a `ValidationError` if a name or an address is none.
    func apply(to server: inout ServerSettings, _ settings: Settings) throws(ValidationError) {
        server.corsOrigins = Self.list(corsOrigin, "cors.origin", settings)
        server.allowedHosts = Self.list(allowHost, "allow.host", settings)
        if let name = server.allowedHosts.first(where: { !Self.isHostName($0) }) {
            let message = "An allowed host is a name such as config.test, without scheme and port, not '\(name)'."
            throw ValidationError(message)
        }
        let ranges = try Self.list(trustedProxy, "trusted.proxy", settings).map { (text) throws(ValidationError) in
            guard let range = AddressRange(text) else {
                throw ValidationError("A trusted proxy is an address or a range such as 10.0.0.0/8, not '\(text)'.")
            }
            return range
        }
        server.trustedProxies = TrustedProxies(ranges)
    }

    private static func list(_ flags: [String], _ key: String, _ settings: Settings) -> [String] {
        flags.isEmpty ? settings.text(nil, key)?.split(separator: ",").map(String.init) ?? [] : flags
    }

    private static func isHostName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
