internal import ConfigModel
internal import Crypto

/// A token as the server knows it: its hash and its rights. Only the holder knows the token itself.
package struct AccessToken: Hashable, Sendable {
    /// The holder: the author of what is written with it.
    package var name: String
    /// SHA-256 of the token's text.
    package var hash: [UInt8]
    /// Its rights.
    package var role: Role
    /// The namespaces that it is valid in; `nil` for all.
    package var namespaces: Set<String>?

    package init(name: String, hash: [UInt8], role: Role, namespaces: Set<String>?) {
        self.name = name
        self.hash = hash
        self.role = role
        self.namespaces = namespaces
    }

    /// Makes a random token of 256 bits, which nobody guesses, so that a plain hash protects it.
    ///
    /// - Returns: the text for the holder, which is shown once, and what the server keeps.
    package static func random(
        name: String,
        role: Role,
        namespaces: Set<String>?
    ) -> (text: String, token: AccessToken) {
        let text = "livery_" + Hex.string(SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
        return (text, AccessToken(name: name, hash: Self.hash(text), role: role, namespaces: namespaces))
    }

    static func hash(_ text: some StringProtocol) -> [UInt8] {
        Array(Crypto.SHA256.hash(data: Array(text.utf8)))
    }

    /// Whether it is valid in a namespace.
    func covers(_ namespace: String) -> Bool {
        namespaces?.contains(namespace) ?? true
    }
}

extension AccessToken {
    /// Reads a line of a token file:
    /// `{"name": "ci", "sha256": "9f86…", "role": "write", "namespaces": ["default"]}`, where `namespaces` may be `"*"`.
    init(json: [UInt8]) throws(ConfigError) {
        var (name, hash, role) = (String?.none, [UInt8]?.none, Role?.none)
        var namespaces: Set<String>??
        try JSONScanner.object(json) { (member, scanner) throws(ConfigError) in
            switch member {
            case "name": name = try scanner.text()
            case "sha256":
                hash = Hex.bytes(try scanner.text())
                if hash?.count != 32 { throw scanner.error(.syntax, "'sha256' has 64 hexadecimal digits") }
            case "role":
                role = Role(rawValue: try scanner.text())
                if role == nil { throw scanner.error(.syntax, "'role' is read, write or admin") }
            case "namespaces": namespaces = .some(try scanner.namespaces())
            default: throw scanner.unknownMember(member, known: ["name", "sha256", "role", "namespaces"])
            }
        }
        guard let name, !name.isEmpty, name.utf8.count <= 128 else {
            throw ConfigError(.syntax, "'name' is missing or has more than 128 bytes")
        }
        guard let hash else { throw ConfigError(.syntax, "'sha256' is missing") }
        guard let role else { throw ConfigError(.syntax, "'role' is missing: read, write or admin") }
        guard let namespaces else { throw ConfigError(.syntax, "'namespaces' is missing: a list, or \"*\" for all") }
        self.init(name: name, hash: hash, role: role, namespaces: namespaces)
    }

    /// The token as a line of a token file, without its end.
    package var json: [UInt8] {
        var json = JSONWriter()
        json.object { object in
            object.member("name") { $0.string(name) }
            object.member("sha256") { $0.string(Hex.string(hash)) }
            object.member("role") { $0.string(role.rawValue) }
            object.member("namespaces") { member in
                if let namespaces { member.strings(namespaces.sorted()) } else { member.string("*") }
            }
        }
        return json.bytes
    }
}

extension JSONScanner {
    fileprivate mutating func namespaces() throws(ConfigError) -> Set<String>? {
        skipWhitespace()
        if current == UInt8(ascii: "\"") {
            guard try text() == "*" else { throw error(.syntax, "'namespaces' is a list, or \"*\" for all") }
            return nil
        }
        var names: Set<String> = []
        try array { (scanner) throws(ConfigError) in
            let name = try scanner.text()
            if let problem = NamespaceRule.problem(in: name) {
                throw scanner.error(.syntax, "the namespace \(problem)")
            }
            names.insert(name)
        }
        return names
    }
}

/// Hexadecimal digits.
enum Hex {
    static func string(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// - Returns: `nil` if the text is not a whole number of bytes.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.map { Character(Unicode.Scalar($0)) }
        guard digits.count.isMultiple(of: 2), digits.allSatisfy(\.isHexDigit) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }
}
