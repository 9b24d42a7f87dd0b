public import ConfigModel
internal import Foundation

extension StoreAddress {
    /// Reads what `--store` says.
    ///
    /// - Throws: ``ConfigError`` with the code `invalidSource`, which never repeats a password.
    public init(_ text: String) throws(ConfigError) {
        guard let scheme = Self.scheme(of: text) else {
            if text.isEmpty { throw .address("the store is a path, mariadb://… or etcd://…, and not empty") }
            self = .sqlite(path: text)
            return
        }
        switch scheme {
        case "mariadb": self = .mariaDB(try MariaDBAddress(try AddressParts(text, scheme: scheme)))
        case "etcd": self = .etcd(try EtcdAddress(try AddressParts(text, scheme: scheme)))
        default:
            let shown = scheme.excerpt(ofScalars: 20)
            throw .address("the store is a path, mariadb://… or etcd://…; '\(shown)://' is none of them")
        }
    }

    /// The scheme, where the text is no path. With one slash too few it is still meant to be an address, which might
    /// have a password in it.
    private static func scheme(of text: String) -> String? {
        if let mark = text.range(of: "://") { return text[..<mark.lowerBound].lowercased() }
        return ["mariadb", "etcd"].first { text.lowercased().hasPrefix($0 + ":") }
    }
}

extension MariaDBAddress {
    fileprivate init(_ parts: AddressParts) throws(ConfigError) {
        var parts = parts
        let form = "mariadb://user@host:3306/database"
        guard let user = parts.user else { throw .address("the store's address names no user; write \(form)") }
        guard !parts.path.isEmpty, !parts.path.contains("/") else {
            throw .address("the store's address ends with one database's name; write \(form)")
        }
        let socket = parts.take("socket")
        guard parts.hosts.count < 2 else {
            throw .address("the store's address names several hosts; a MariaDB store has one, its primary")
        }
        let host = parts.hosts.first ?? "localhost"
        guard socket != nil || !parts.hosts.isEmpty, let place = HostAndPort(host, standardPort: 3306) else {
            throw .address("the store's host is a name or an address, with or without a port; write \(form)")
        }
        let tls = try parts.takeTLS(standard: socket != nil || place.isLoopback ? .off : .on)
        try parts.requireNothingLeft()
        self.init(
            user: user,
            host: place.host,
            port: place.port,
            database: parts.path,
            socket: socket,
            tls: tls
        )
    }
}

extension EtcdAddress {
    fileprivate init(_ parts: AddressParts) throws(ConfigError) {
        var parts = parts
        let places = parts.hosts.map { HostAndPort($0, standardPort: 2379) }
        let members = places.compactMap(\.self)
        guard !members.isEmpty, members.count == places.count else {
            throw .address("the store's hosts are names or addresses; write etcd://host:2379,host:2379/prefix")
        }
        let path = parts.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.path.isEmpty || !path.contains("") else {
            throw .address("the store's prefix has an empty part between slashes; write etcd://host:2379/prefix")
        }
        let tls = try parts.takeTLS(standard: members.allSatisfy(\.isLoopback) ? .off : .on)
        try parts.requireNothingLeft()
        self.init(
            members: members.map { Member(host: $0.host, port: $0.port) },
            user: parts.user,
            prefix: parts.path.isEmpty ? "livery" : parts.path,
            tls: tls
        )
    }
}

/// An address, taken apart: `scheme://user@host,host/path?name=value`.
private struct AddressParts {
    let scheme: String
    let user: String?
    let hosts: [String]
    /// Without the slashes around it.
    let path: String
    private var options: [String: String] = [:]

    init(_ text: String, scheme: String) throws(ConfigError) {
        self.scheme = scheme
        guard text.dropFirst(scheme.count).hasPrefix("://") else {
            throw .address("the store's address begins with \(scheme)://")
        }
        let pieces = text.dropFirst(scheme.count + 3).split(separator: "?", maxSplits: 1)
        let address = pieces.first ?? ""
        // The user ends at the last @ before the path, so that a password with an @ is seen as one, too.
        let slash = address[(address.lastIndex(of: "@") ?? address.startIndex)...].firstIndex(of: "/")
        let authority = address[..<(slash ?? address.endIndex)]
        let mark = authority.lastIndex(of: "@")
        user = try mark.map { mark throws(ConfigError) in try Self.user(authority[..<mark]) }
        hosts = authority[(mark.map(authority.index(after:)) ?? authority.startIndex)...].split(separator: ",")
            .map(String.init)
        var path = address[(slash ?? address.endIndex)...].dropFirst()
        if path.hasSuffix("/") { path = path.dropLast() }
        self.path = try Self.decoded(path)
        for option in pieces.dropFirst().first?.split(separator: "&") ?? [] {
            let halves = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decoded(halves[0])
            if name.lowercased().hasPrefix("pass") { throw .passwordInAddress }
            guard halves.count == 2, !halves[1].isEmpty, options[name] == nil else {
                let shown = name.excerpt(ofScalars: 20)
                throw .address("the store's option '\(shown)' needs one value; write ?\(shown)=value")
            }
            options[name] = try Self.decoded(halves[1])
        }
    }

    private static func user(_ text: Substring) throws(ConfigError) -> String {
        if text.contains(":") { throw .passwordInAddress }
        guard !text.isEmpty else { throw .address("the store's address has nobody before its @; name a user") }
        return try decoded(text)
    }

    private static func decoded(_ text: Substring) throws(ConfigError) -> String {
        guard let decoded = String(text).removingPercentEncoding, !decoded.unicodeScalars.contains("\0") else {
            throw .address("a % in the store's address stands for no character; write %25 for a % itself")
        }
        return decoded
    }

    /// The value of an option, which is left no more.
    mutating func take(_ name: String) -> String? {
        options.removeValue(forKey: name)
    }

    mutating func takeTLS(standard: StoreTLS.Mode) throws(ConfigError) -> StoreTLS {
        let files = (authorities: take("ca"), certificate: take("cert"), privateKey: take("key"))
        let isMeant = files.authorities != nil || files.certificate != nil
        var tls = StoreTLS(mode: isMeant ? .on : standard, authorities: files.authorities)
        if let text = take("tls") {
            guard let mode = StoreTLS.Mode(rawValue: text) else {
                throw .address("the store's option 'tls' is on, unverified or off")
            }
            tls.mode = mode
        }
        switch (files.certificate, files.privateKey) {
        case (let certificate?, let privateKey?):
            tls.identity = StoreTLS.Identity(certificate: certificate, privateKey: privateKey)
        case (nil, nil): break
        default: throw .address("the store's options 'cert' and 'key' go together")
        }
        guard tls.mode != .off || !isMeant else {
            throw .address("the store's options 'ca' and 'cert' mean nothing with 'tls=off'")
        }
        return tls
    }

    func requireNothingLeft() throws(ConfigError) {
        guard let name = options.keys.min() else { return }
        let known = scheme == "mariadb" ? "tls, ca, cert, key and socket" : "tls, ca, cert and key"
        throw .address("the store's options are \(known), not '\(name.excerpt(ofScalars: 20))'")
    }
}

/// A host with or without its port.
private struct HostAndPort {
    let host: String
    let port: Int

    init?(_ text: String, standardPort: Int) {
        let isBare = text.hasSuffix("]") || !text.contains(":")
        guard let address = ListenAddress(isBare ? "\(text):\(standardPort)" : text), address.port > 0 else {
            return nil
        }
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: ".-_:"))
        guard address.host.unicodeScalars.allSatisfy(allowed.contains) else { return nil }
        (host, port) = (address.host, address.port)
    }

    var isLoopback: Bool { ListenAddress(host: host, port: port).isLoopback }
}

extension ConfigError {
    fileprivate static func address(_ message: String) -> ConfigError {
        ConfigError(.invalidSource, message)
    }

    fileprivate static var passwordInAddress: ConfigError {
        .address(
            """
            the store's address has a password in it, which everybody on the machine could read; give it by \
            LIVERY_STORE_PASSWORD or --store-password-file
            """
        )
    }
}
