// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import EtcdStore
import Foundation
import MariaDBStore

/// The address of a server's store: a SQLite file, or a database that several servers share.
///
/// ```
/// livery.sqlite                                        a path: SQLite
/// mariadb://livery@db.example:3306/config              MariaDB, encrypted
/// mariadb://livery@localhost/config?socket=/run/mysqld/mysqld.sock
/// etcd://a.example:2379,b.example:2379/livery          etcd, encrypted
/// ```
///
/// An address never contains a password, since lists of processes and logs show it.
enum StoreAddress: Hashable, Sendable {
    /// SQLite in the file at a path.
    case sqlite(path: String)
    /// A MariaDB server's database.
    case mariaDB(MariaDBAddress)
    /// An etcd cluster's keys with a prefix.
    case etcd(EtcdAddress)
}

extension StoreAddress {
    /// Parses the value of `--store`.
    ///
    /// - Throws: `ConfigError` with the code `invalidSource`, whose message never contains a password.
    init(_ text: String) throws(ConfigError) {
        guard let scheme = Self.scheme(of: text) else {
            if text.isEmpty { throw .address("the store address is empty; expected a path, mariadb://… or etcd://…") }
            self = .sqlite(path: text)
            return
        }
        switch scheme {
        case "mariadb": self = .mariaDB(try MariaDBAddress(AddressParts(text, scheme: scheme)))
        case "etcd": self = .etcd(try EtcdAddress(AddressParts(text, scheme: scheme)))
        default:
            let shown = scheme.excerpt(ofScalars: 20)
            throw .address("unknown store type '\(shown)://'; expected a path, mariadb://… or etcd://…")
        }
    }

    /// The scheme, unless the text is a path. With a slash missing it still counts as an address, since it may contain a
    /// password.
    private static func scheme(of text: String) -> String? {
        if let mark = text.range(of: "://") { return text[..<mark.lowerBound].lowercased() }
        return ["mariadb", "etcd"].first { text.lowercased().hasPrefix($0 + ":") }
    }
}

extension MariaDBAddress {
    fileprivate init(_ parts: AddressParts) throws(ConfigError) {
        var parts = parts
        let form = "mariadb://user@host:3306/database"
        guard let user = parts.user else { throw .address("the store address has no user; expected \(form)") }
        guard !parts.path.isEmpty, !parts.path.contains("/") else {
            throw .address("the store address must end with one database name; expected \(form)")
        }
        let socket = parts.options.removeValue(forKey: "socket")
        guard parts.hosts.count < 2 else {
            throw .address("the store address has several hosts; for MariaDB, pass only the primary")
        }
        let host = parts.hosts.first ?? "localhost"
        guard socket != nil || !parts.hosts.isEmpty, let place = HostAndPort(host, standardPort: 3306) else {
            throw .address("invalid host in the store address; expected \(form)")
        }
        let tls = try parts.removeTLS()
        try parts.requireNoOptions()
        self.init(user: user, host: place.host, port: place.port, database: parts.path, socket: socket, tls: tls)
    }
}

extension EtcdAddress {
    fileprivate init(_ parts: AddressParts) throws(ConfigError) {
        var parts = parts
        let places = parts.hosts.map { HostAndPort($0, standardPort: 2379) }
        let members = places.compactMap(\.self)
        guard !members.isEmpty, members.count == places.count else {
            throw .address("invalid host in the store address; expected etcd://host:2379,host:2379/prefix")
        }
        let path = parts.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.path.isEmpty || !path.contains("") else {
            throw .address("the store prefix has an empty segment; expected etcd://host:2379/prefix")
        }
        let tls = try parts.removeTLS()
        try parts.requireNoOptions()
        let prefix = parts.path.isEmpty ? "livery" : parts.path
        self.init(members: members, user: parts.user, prefix: prefix, tls: tls)
    }
}

/// An address, taken apart: `scheme://user@host,host/path?name=value`.
private struct AddressParts {
    let scheme: String
    let user: String?
    let hosts: [String]
    /// Without the slashes around it.
    let path: String
    var options: [String: String] = [:]

    init(_ text: String, scheme: String) throws(ConfigError) {
        self.scheme = scheme
        guard text.dropFirst(scheme.count).hasPrefix("://") else {
            throw .address("the store address must begin with \(scheme)://")
        }
        let pieces = text.dropFirst(scheme.count + 3).split(separator: "?", maxSplits: 1)
        let address = pieces.first ?? ""
        // The user ends at the last @ before the path, so that a password with an @ is recognised, too.
        let slash = address[(address.lastIndex(of: "@") ?? address.startIndex)...].firstIndex(of: "/")
        let authority = address[..<(slash ?? address.endIndex)]
        let mark = authority.lastIndex(of: "@")
        let name = mark.map { authority[..<$0] }
        if name?.contains(":") == true { throw .passwordInAddress }
        if name?.isEmpty == true { throw .address("the store address has no user before the @") }
        user = try name.map { (name) throws(ConfigError) in try Self.decoded(name) }
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
                throw .address("the store option '\(shown)' requires one value; expected ?\(shown)=value")
            }
            options[name] = try Self.decoded(halves[1])
        }
    }

    private static func decoded(_ text: Substring) throws(ConfigError) -> String {
        guard let decoded = String(text).removingPercentEncoding, !decoded.unicodeScalars.contains("\0") else {
            throw .address("invalid percent-encoding in the store address; encode % as %25")
        }
        return decoded
    }

    /// The protection by the options; `nil` if none is about it.
    mutating func removeTLS() throws(ConfigError) -> StoreTLS? {
        let authorities = options.removeValue(forKey: "ca")
        let (certificate, privateKey) = (options.removeValue(forKey: "cert"), options.removeValue(forKey: "key"))
        let needsTLS = authorities != nil || certificate != nil
        guard let text = options.removeValue(forKey: "tls") ?? (needsTLS ? "on" : nil) else { return nil }
        guard let mode = StoreTLS.Mode(rawValue: text) else {
            throw .address("the store option 'tls' must be on, unverified or off")
        }
        var tls = StoreTLS(mode: mode, authorities: authorities)
        switch (certificate, privateKey) {
        case (let certificate?, let privateKey?):
            tls.identity = StoreTLS.Identity(certificate: certificate, privateKey: privateKey)
        case (nil, nil): break
        default: throw .address("the store options 'cert' and 'key' must be used together")
        }
        guard mode != .off || !needsTLS else {
            throw .address("the store options 'ca' and 'cert' have no effect with 'tls=off'; remove them")
        }
        return tls
    }

    func requireNoOptions() throws(ConfigError) {
        guard let name = options.keys.min() else { return }
        let known = scheme == "mariadb" ? "tls, ca, cert, key, socket" : "tls, ca, cert, key"
        throw .address("unknown store option '\(name.excerpt(ofScalars: 20))'; expected one of \(known)")
    }
}

extension HostAndPort {
    /// Reads a host with or without a port.
    fileprivate init?(_ text: String, standardPort: Int) {
        let isBare = text.hasSuffix("]") || !text.contains(":")
        self.init(isBare ? "\(text):\(standardPort)" : text)
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: ".-_:"))
        guard port > 0, host.unicodeScalars.allSatisfy(allowed.contains) else { return nil }
    }
}

extension ConfigError {
    fileprivate static func address(_ message: String) -> ConfigError { ConfigError(.invalidSource, message) }

    fileprivate static let passwordInAddress = ConfigError.address(
        """
        the store address contains a password, which is visible in the process list; use LIVERY_STORE_PASSWORD or \
        --store-password-file instead
        """
    )
}
