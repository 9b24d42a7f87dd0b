import ConfigServer
internal import ConfigStore

// MARK: Kinds of settings

extension Setting<Int> {
    /// A whole number from 1.
    ///
    /// - Parameter limit: the highest number that makes sense; it keeps calculations from an overflow.
    static func count(
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

    /// A size of 1 byte to 1 GiB, which is as much as Livery's clients read.
    static func size(_ name: String, _ standard: Int, _ help: String) -> Setting {
        Setting(
            name: name,
            standard: standard,
            standardText: "\(standard >> 20)MiB",
            help: help,
            valueName: "size",
            expected: "a size of up to 1GiB such as 64MiB or 100000",
            read: { byteCount($0) }
        )
    }

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
    static func path(_ name: String, _ help: String) -> Setting {
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

extension Setting where Value: CaseIterable & RawRepresentable<String> {
    /// One of the values of an enumeration.
    static func choice(_ name: String, _ standard: Value, _ help: String) -> Setting {
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

// MARK: Single settings

extension Setting<Int> {
    static var heartbeat: Setting {
        let longest = ServerLimits.longestHeartbeatSeconds
        let help = "The time between two heartbeats of a stream, 1 to \(longest)"
        return count("heartbeat", ServerLimits().heartbeatSeconds, upTo: longest, help, "seconds")
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
            read: { $0.wholeMatch(of: /[A-Za-z0-9._-]+/) == nil ? nil : $0 }
        )
    }
}
