// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Essentials
internal import Files
internal import HTTPTransport

/// The format of certificates and keys (RFC 7468).
enum PEMRule {
    enum Part {
        case authority, clientCertificate
        /// - Parameter isOpened: whether there is a password.
        case privateKey(isOpened: Bool)

        var name: String {
            switch self {
            case .authority: "the certificate authority"
            case .clientCertificate: "the client certificate"
            case .privateKey: "the private key"
            }
        }

        fileprivate var label: String {
            if case .privateKey = self { "PRIVATE KEY" } else { "CERTIFICATE" }
        }
    }

    private struct Block {
        let label: String
        var isEncrypted: Bool
        var base64 = ""
    }

    private static let maximumBytes = 1 << 20

    static func read(_ path: String, _ part: Part) throws(ConfigError) -> [UInt8] {
        do throws(FileError) {
            return try FileContent.bytes(at: path, atMost: maximumBytes)
        } catch {
            throw ConfigError(.unreadable, "cannot read \(part.name): \(error)", source: path, underlying: error)
        }
    }

    /// Checks for the required blocks. Whether they belong together is only known after a handshake.
    static func check(_ bytes: [UInt8], as part: Part, source: String?) throws(ConfigError) {
        guard bytes.count <= maximumBytes else {
            throw ConfigError(.invalidOption, "\(part.name) is larger than 1 MiB", source: source)
        }
        let blocks = blocks(in: String(decoding: bytes, as: UTF8.self)).filter { $0.label.hasSuffix(part.label) }
        guard !blocks.isEmpty, blocks.allSatisfy({ Data(base64Encoded: $0.base64)?.isEmpty == false }) else {
            let message = "\(part.name) is not in PEM format; expected -----BEGIN \(part.label)-----"
            throw ConfigError(.invalidOption, message, source: source)
        }
        if case .privateKey(isOpened: false) = part, blocks.contains(where: \.isEncrypted) {
            throw ConfigError(.invalidOption, "the private key is encrypted; set its password", source: source)
        }
    }

    /// The blocks that have an end.
    private static func blocks(in text: String) -> [Block] {
        var blocks: [Block] = []
        var open: Block?
        for line in text.split(whereSeparator: \.isNewline).map(\.trimmed) {
            if let label = line.between("-----BEGIN ", "-----") {
                open = Block(label: label, isEncrypted: label.hasPrefix("ENCRYPTED "))
            } else if let label = line.between("-----END ", "-----") {
                if let block = open, block.label == label { blocks.append(block) }
                open = nil
            } else if line.contains(":") {
                // OpenSSL's older format marks encrypted keys in a header field.
                if line.contains("ENCRYPTED") { open?.isEncrypted = true }
            } else {
                open?.base64 += line
            }
        }
        return blocks
    }
}

extension String {
    fileprivate func between(_ start: String, _ end: String) -> String? {
        guard hasPrefix(start), hasSuffix(end), count > start.count + end.count else { return nil }
        return String(dropFirst(start.count).dropLast(end.count))
    }
}

/// The format of pinned keys, as in curl and RFC 7469.
enum PinRule {
    private static let prefix = "sha256//"

    static func checked(_ pins: [String]) throws(ConfigError) -> [String] {
        for pin in pins {
            let digest = pin.hasPrefix(prefix) ? Data(base64Encoded: String(pin.dropFirst(prefix.count))) : nil
            guard digest?.count == 32 else {
                let message =
                    "invalid pinned key '\(pin.excerpt(ofScalars: 60))'; expected sha256// and 32 bytes in Base64"
                throw ConfigError(.invalidOption, message)
            }
        }
        return pins
    }
}

/// The address of an HTTP proxy. Its description contains neither user name nor password.
enum ProxyAddress {
    static func checked(_ text: String) throws(ConfigError) -> TransportSettings.HTTPProxy {
        guard let url = URLComponents(string: text), url.scheme?.lowercased() == "http",
            ["", "/"].contains(url.path), url.query == nil, url.fragment == nil, let place = url.url,
            let origin = Origin(place), url.port.map({ (1...65_535).contains($0) }) ?? true
        else {
            throw ConfigError(.invalidOption, "invalid proxy URL; expected a URL such as http://proxy.example.org:3128")
        }
        for secret in [url.user, url.password] {
            guard secret?.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) != false else {
                throw ConfigError(.invalidOption, "the user or the password of the proxy contains a control character")
            }
        }
        return TransportSettings.HTTPProxy(origin: origin, user: url.user, password: url.password)
    }
}

/// The header fields that may be added to requests (RFC 9110).
enum HeaderRule {
    /// Fields that belong to one connection or are set by the library.
    private static let reserved: Set<String> = [
        "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade", "host", "content-length", "content-type", "content-encoding", "expect",
        "accept", "accept-encoding", "cache-control", "if-match", "if-none-match", "if-modified-since",
        "if-unmodified-since",
        "if-range", "range", "last-event-id", RevisionCursor.fieldName.lowercased(),
    ]

    static func checked(_ fields: [String: String]) throws(ConfigError) -> HTTPHeaders {
        var names: Set<String> = []
        for (name, value) in fields {
            try check(name, value)
            guard names.insert(name.lowercased()).inserted else {
                throw ConfigError(.invalidOption, "duplicate header \(name); remove one")
            }
        }
        return HTTPHeaders(fields.map { (name: $0.key, value: $0.value.trimmed) })
    }

    private static func check(_ name: String, _ value: String) throws(ConfigError) {
        let shown = name.excerpt(ofScalars: 60)
        guard !name.isEmpty, name.utf8.allSatisfy(\.isOfFieldName) else {
            throw ConfigError(.invalidOption, "invalid header name '\(shown)'; expected a name such as X-Tenant")
        }
        if name.lowercased() == "authorization" {
            throw ConfigError(
                .invalidOption,
                "the header Authorization is reserved; pass the token with a TokenProvider"
            )
        }
        if reserved.contains(name.lowercased()) {
            throw ConfigError(.invalidOption, "the header \(shown) is set by the connection; remove it")
        }
        guard value.utf8.allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
            let message = "the value of the header \(shown) contains a control character"
            throw ConfigError(.invalidOption, message)
        }
    }
}

/// The path of a Unix socket.
enum SocketPath {
    private static let maximumBytes = Sockets.maximumPathBytes

    static func checked(_ path: String) throws(ConfigError) -> String {
        guard path.isAbsolutePath, !path.utf8.contains(where: { $0 < 0x20 }) else {
            throw ConfigError(.invalidOption, "the path of a Unix socket must be absolute, such as /run/livery.sock")
        }
        let count = path.pathBytes.count
        guard count <= maximumBytes else {
            let message = "the path of the Unix socket has \(count) bytes, more than the maximum of \(maximumBytes)"
            throw ConfigError(.invalidOption, message)
        }
        return path
    }
}
