import ConfigServer
internal import ConfigStore
import Logging

// The settings of `livery-server serve`, apart from those of its store. Their defaults are those of the types that they are
// for, where these have any.

extension Setting<Int> {
    static var historyDays: Setting {
        count("history-days", 90, upTo: 36_500, "The least days that history is kept", "days")
    }
    static var maxConnections: Setting { count("max-connections", ServerLimits().connections, "The most connections") }
    static var heartbeat: Setting {
        count(
            "heartbeat",
            ServerLimits().heartbeatSeconds,
            upTo: ServerLimits.longestHeartbeatSeconds,
            "The time between two heartbeats of a stream, 1 to \(ServerLimits.longestHeartbeatSeconds)",
            "seconds"
        )
    }
    static var maxKeys: Setting { count("max-keys", NamespaceQuotas().keys, "The most keys that a namespace may have") }
    static var maxNamespaces: Setting {
        count(
            "max-namespaces",
            NamespaceQuotas().namespaces,
            "The most namespaces that may have keys"
        )
    }
    static var drain: Setting {
        count("drain", 10, upTo: 86_400, "The longest time that a shutdown may take", "seconds")
    }

    static var maxNamespaceSize: Setting {
        Setting(
            name: "max-namespace-size",
            standard: NamespaceQuotas().bytes,
            standardText: "\(NamespaceQuotas().bytes >> 20)MiB",
            help: "The most bytes of JSON that a namespace may have, such as 64MiB or 100000",
            valueName: "size",
            expected: "a size of up to 1GiB such as 64MiB",
            read: { byteCount($0) }
        )
    }

    /// - Parameter limit: the highest number that makes sense; it keeps calculations from an overflow.
    private static func count(
        _ name: String,
        _ standard: Int,
        upTo limit: Int = 1_000_000_000,
        _ help: String,
        _ valueName: String = "count"
    ) -> Setting {
        Setting(
            name: name,
            standard: standard,
            standardText: "\(standard)",
            help: help,
            valueName: valueName,
            expected: "a whole number from 1 to \(limit)",
            read: { text in Int(text).flatMap { (1...limit).contains($0) ? $0 : nil } }
        )
    }

    /// Reads a size of 1 byte to 1 GiB, which is as much as Livery's clients read.
    private static func byteCount(_ text: String) -> Int? {
        let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)]
        let unit = units.first { text.hasSuffix($0.0) }
        let digits = text.dropLast(unit?.0.count ?? 0)
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int(digits), number > 0
        else { return nil }
        let (bytes, isTooMuch) = number.multipliedReportingOverflow(by: unit?.1 ?? 1)
        return isTooMuch || bytes > 1 << 30 ? nil : bytes
    }
}

extension Setting<String?> {
    static var tokenFile: Setting {
        path("token-file", "The tokens, one JSON object per line, as 'token create' prints them")
    }
    static var certificate: Setting { path("tls-certificate", "The certificate for TLS, with its chain, as PEM") }
    static var privateKey: Setting { path("tls-private-key", "The certificate's private key, as PEM") }

    private static func path(_ name: String, _ help: String) -> Setting {
        Setting(
            name: name,
            standard: .some(nil),
            help: help,
            valueName: "path",
            expected: "a path",
            read: { .some($0) }
        )
    }
}

extension Setting<HostAndPort> {
    static var address: Setting {
        Setting(
            name: "address",
            standard: ServerSettings().address,
            standardText: "\(ServerSettings().address)",
            help: "Where to listen; port 0 is any free one",
            valueName: "host:port",
            expected: "host:port, such as 127.0.0.1:3000",
            read: { HostAndPort($0) }
        )
    }
    static var hintPeer: Setting {
        Setting(
            name: "hint-peer",
            variable: "hint-peers",
            help: "The hint address of another server, to send hints to; may be repeated",
            valueName: "host:port",
            expected: "host:port, such as 10.0.0.2:3001",
            read: { HostAndPort($0) }
        )
    }
}

extension Setting<HostAndPort?> {
    static var hintAddress: Setting {
        Setting(
            name: "hint-address",
            standard: .some(nil),
            standardText: "nowhere",
            help: "Where to receive hints, by UDP, of commits of other servers on the store",
            valueName: "host:port",
            expected: "host:port, such as 10.0.0.1:3001",
            read: { text in HostAndPort(text).map { .some($0) } }
        )
    }
}

extension Setting<AddressRange> {
    static var trustedProxy: Setting {
        Setting(
            name: "trusted-proxy",
            help: "A proxy whose Forwarded, X-Forwarded-For or PROXY protocol is believed; may be repeated: "
                + "--trusted-proxy 10.0.0.0/8 --trusted-proxy ::1",
            valueName: "address[/bits]",
            expected: "an address or a range such as 10.0.0.0/8",
            read: { AddressRange($0) }
        )
    }
}

extension Setting<String> {
    static var corsOrigin: Setting {
        Setting(
            name: "cors-origin",
            help: "An origin whose pages may use the server; may be repeated; * is any",
            valueName: "origin",
            expected: "an origin",
            read: { $0 }
        )
    }
    static var allowHost: Setting {
        Setting(
            name: "allow-host",
            help: "A name that the server answers to without tokens, beside localhost; may be repeated: "
                + "--allow-host config.test --allow-host config.internal",
            valueName: "name",
            expected: "a name such as config.test, without scheme and port",
            read: { isHostName($0) ? $0 : nil }
        )
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

extension Setting where Value: CaseIterable & RawRepresentable<String> {
    fileprivate static func choice(_ name: String, _ standard: Value, _ help: String) -> Setting {
        let words = Value.allCases.map(\.rawValue)
        return Setting(
            name: name,
            standard: standard,
            standardText: standard.rawValue,
            help: "\(help): \(words.joined(separator: ", "))",
            valueName: name,
            expected: "one of \(words.joined(separator: ", "))",
            choices: words,
            read: { Value(rawValue: $0) }
        )
    }
}

extension Setting<Logger.Level> {
    static var logLevel: Setting { choice("log-level", .info, "The least level that is logged") }
}

extension Setting<LogFormat> {
    static var logFormat: Setting { choice("log-format", .text, "The format of the log") }
}
