// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigWire

/// A token as the server knows it: its hash and its rights. Only the holder knows the token itself.
public struct AccessToken: Hashable, Sendable {
    /// The holder: the author of changes made with the token.
    public var name: String
    /// The person or program that the token belongs to, for reviews; a person may have several tokens. By default the name.
    public var subject: String
    /// SHA-256 of the token's text.
    let hash: [UInt8]
    /// The permissions of the token's holder.
    public private(set) var role: Role
    /// The namespaces that it is valid in; `nil` for all.
    public var namespaces: Set<String>?
    /// The time at which it expires; `nil` if it never does.
    public var expiresAt: Timestamp?

    /// Generates a random token of 256 bits. Since it cannot be guessed, a plain hash protects it; its text is not stored.
    public static func random(
        name: String,
        role: Role,
        namespaces: Set<String>?,
        expiresAt: Timestamp? = nil,
        subject: String? = nil
    ) -> (text: String, token: AccessToken) {
        // The standard generator, the system's, is for secrets as well: getrandom(2) on Linux.
        let text = "livery_" + (0..<32).map { _ in UInt8.random(in: .min ... .max) }.hexDigits
        let hash = Self.hash(text)
        let token = AccessToken(
            name: name,
            subject: subject ?? name,
            hash: hash,
            role: role,
            namespaces: namespaces,
            expiresAt: expiresAt
        )
        return (text, token)
    }

    static func hash(_ text: some StringProtocol) -> [UInt8] {
        var hash = SHA256()
        hash.update(text.utf8)
        return hash.finish()
    }

    /// The token with the rights that another version of it grants as well.
    func restricted(to other: AccessToken) -> AccessToken {
        var token = self
        token.role = min(role, other.role)
        if let theirs = other.namespaces { token.namespaces = namespaces?.intersection(theirs) ?? theirs }
        if let theirs = other.expiresAt { token.expiresAt = min(expiresAt ?? theirs, theirs) }
        return token
    }

    func covers(_ namespace: String) -> Bool { namespaces?.contains(namespace) ?? true }

    package func hasExpired(at now: Timestamp) -> Bool { expiresAt.map { $0 <= now } ?? false }
}

extension AccessToken {
    /// Reads a line of a token file:
    /// `{"name": "ci", "sha256": "9f86…", "role": "write", "namespaces": ["default"]}`, where `namespaces` may be `"*"`, and
    /// `"expires_at": "2026-01-31T12:00:00Z"` may follow.
    public init(json: [UInt8]) throws(ConfigError) {
        var (name, hash, role) = (String?.none, [UInt8]?.none, Role?.none)
        var (expiresAt, subject) = (Timestamp?.none, String?.none)
        var namespaces: Set<String>??
        try JSONScanner.object(json) { (member, scanner) throws(ConfigError) in
            switch member {
            case "name": name = try scanner.text()
            case "subject": subject = try scanner.text()
            case "sha256":
                hash = [UInt8](hexDigits: try scanner.text())
                if hash?.count != 32 { throw scanner.error(.syntax, "'sha256' must have 64 hexadecimal digits") }
            case "role":
                role = Role(rawValue: try scanner.text())
                if role == nil { throw scanner.error(.syntax, "'role' must be read, write, approve or admin") }
            case "namespaces": namespaces = .some(try scanner.namespaces())
            case "expires_at":
                expiresAt = Timestamp(try scanner.text())
                if expiresAt == nil {
                    throw scanner.error(.syntax, "'expires_at' must be a time in UTC, such as 2026-01-31T12:00:00Z")
                }
            default:
                throw scanner.unknownMember(
                    member,
                    known: ["name", "subject", "sha256", "role", "namespaces", "expires_at"]
                )
            }
        }
        guard let name else { throw ConfigError(.syntax, "'name' is missing") }
        guard let hash else { throw ConfigError(.syntax, "'sha256' is missing") }
        guard let role else { throw ConfigError(.syntax, "'role' is missing; expected read, write, approve or admin") }
        guard let namespaces else {
            throw ConfigError(.syntax, "'namespaces' is missing; expected an array, or \"*\" for all")
        }
        self.init(
            name: name,
            subject: subject ?? name,
            hash: hash,
            role: role,
            namespaces: namespaces,
            expiresAt: expiresAt
        )
        try check()
    }

    /// Checks the name, the subject and the namespaces.
    package func check() throws(ConfigError) {
        try Self.check(name, "the name of a token")
        try Self.check(subject, "the subject of a token")
        for namespace in namespaces ?? [] {
            if let problem = NamespaceRule.problem(in: namespace) {
                throw ConfigError(.syntax, "the namespace '\(namespace.excerpt(ofScalars: 64))' \(problem)")
            }
        }
    }

    private static func check(_ name: String, _ what: String) throws(ConfigError) {
        guard (1...128).contains(name.utf8.count) else {
            throw ConfigError(.syntax, "\(what) must have 1 to 128 bytes, not \(name.utf8.count)")
        }
        // The log shows names as they are, and `-` for requests without a token.
        let shown = name.excerpt(ofScalars: 128)
        let isInvisible = name.unicodeScalars.contains(where: \.properties.isDefaultIgnorableCodePoint)
        let isPadded = name.first?.isWhitespace == true || name.last?.isWhitespace == true
        if name == "-" || shown != name || isInvisible || isPadded {
            let problem = """
                \(what) must not be '-', begin or end with a space, or contain control, bidirectional or \
                invisible characters
                """
            throw ConfigError(.syntax, "\(problem): '\(shown)'")
        }
    }

    /// The line of a token file, without its end: everything but the token's text, which is not stored.
    public var json: [UInt8] {
        JSONWriter.object { object in
            object.member("name") { $0.string(name) }
            if subject != name { object.member("subject") { $0.string(subject) } }
            object.member("sha256") { $0.string(hash.hexDigits) }
            object.member("role") { $0.string(role.rawValue) }
            object.member("namespaces") { member in
                if let namespaces { member.strings(namespaces.sorted()) } else { member.string("*") }
            }
            if let expiresAt { object.member("expires_at") { $0.string(expiresAt.description) } }
        }
    }
}

extension JSONScanner {
    fileprivate mutating func namespaces() throws(ConfigError) -> Set<String>? {
        skipWhitespace()
        if current == UInt8(ascii: "\"") {
            guard try text() == "*" else { throw error(.syntax, "'namespaces' must be an array, or \"*\" for all") }
            return nil
        }
        var names: Set<String> = []
        try array { (scanner) throws(ConfigError) in names.insert(try scanner.text()) }
        return names
    }
}

extension Collection<UInt8> {
    var hexDigits: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

extension [UInt8] {
    /// Compares to the last byte, so that the time does not reveal where the difference is.
    func equals(_ other: [UInt8]) -> Bool {
        count == other.count && zip(self, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    init?(hexDigits text: some StringProtocol) {
        let digits = text.utf8.compactMap(\.hexDigit)
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
