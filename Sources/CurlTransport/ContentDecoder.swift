// SPDX-License-Identifier: Apache-2.0

internal import CCurl

/// Decodes the body of an answer by its `Content-Encoding`: gzip, in any number of members and with zeros between and after
/// them (RFC 1952 allows members, and tapes pad with zeros), and deflate, with zlib's header or without. It stays on the
/// loop's thread.
final class ContentDecoder {
    /// An error of the encoding, or an encoding that is not known.
    struct Damage: Error {
        /// The encoding that is not known.
        var encoding: String?
    }

    private enum Form { case gzip, deflate }

    private let form: Form
    private var inflater: UnsafeMutableRawPointer?
    /// The first bytes of deflate, by which its form is known: two.
    private var beginning: [UInt8] = []
    /// The number of bytes that may follow the end of deflate data.
    private var rest: Int?
    /// Whether bytes of a member have been read, and not its end.
    private var isInMember = false

    /// The number of bytes that are decoded at once: small enough for a limit to stop a bomb.
    private static let pieceBytes = 64 * 1024

    /// Whether gzip can be decoded on this machine.
    static var isAvailable: Bool { livery_inflate_load() != 0 }

    /// - Parameter encoding: the value of `Content-Encoding`.
    /// - Returns: `nil` for a body that is not encoded.
    /// - Throws: ``Damage`` for an encoding that is not known here, and for more than one.
    static func decoder(of encoding: String?) throws(Damage) -> ContentDecoder? {
        let words = (encoding ?? "").unicodeScalars.split { [",", " ", "\t"].contains($0) }
        let names = words.map { String($0).lowercased() }.filter { $0 != "identity" && $0 != "none" }
        if names.isEmpty { return nil }
        let forms: [String: Form] = ["gzip": .gzip, "x-gzip": .gzip, "deflate": .deflate]
        guard isAvailable, names.count == 1, let form = forms[names[0]] else {
            throw Damage(encoding: names.joined(separator: ", "))
        }
        return ContentDecoder(form)
    }

    private init(_ form: Form) { self.form = form }

    deinit {
        if let inflater { livery_inflate_free(inflater) }
    }

    /// Whether the bytes so far end where a body may.
    var isAtEnd: Bool { !isInMember }

    /// Decodes the beginning of some bytes.
    ///
    /// - Returns: the number of bytes read, and the decoded ones; at most 64 KiB.
    func decode(_ bytes: UnsafeRawBufferPointer) throws(Damage) -> (consumed: Int, piece: [UInt8]) {
        if form == .deflate { return try decodeDeflate(bytes) }
        if !isInMember {
            let padding = bytes.prefix { $0 == 0 }.count
            if padding > 0 { return (padding, []) }
        }
        guard let result = inflate(bytes, isRaw: false) else { throw Damage() }
        return result
    }

    private func decodeDeflate(_ bytes: UnsafeRawBufferPointer) throws(Damage) -> (consumed: Int, piece: [UInt8]) {
        if let count = rest {
            guard bytes.count <= count else { throw Damage() }
            rest = count - bytes.count
            return (bytes.count, [])
        }
        let more = bytes.prefix(2 - beginning.count)
        beginning += more
        isInMember = true
        guard beginning.count == 2 else { return (more.count, []) }
        // Many servers send deflate without the header of zlib that belongs to it (RFC 9110, section 8.4.1.2).
        let isRaw = beginning[0] & 0x0F != 8 || (Int(beginning[0]) << 8 | Int(beginning[1])) % 31 != 0
        // Two bytes decode to less than a piece.
        let result =
            more.isEmpty ? inflate(bytes, isRaw: isRaw) : beginning.withUnsafeBytes { inflate($0, isRaw: isRaw) }
        guard let (consumed, piece) = result else { throw Damage() }
        // Some of those servers still send zlib's checksum.
        if !isInMember { rest = isRaw ? 4 : 0 }
        return (more.isEmpty ? consumed : more.count, piece)
    }

    /// - Returns: `nil` for what cannot be decoded.
    private func inflate(_ bytes: UnsafeRawBufferPointer, isRaw: Bool) -> (consumed: Int, piece: [UInt8])? {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return (0, []) }
        if inflater == nil { inflater = livery_inflate_new(isRaw ? 1 : 0) }
        guard let inflater else { return nil }
        var (consumed, piece, code, isFull) = (0, [UInt8](), Int32(0), false)
        repeat {
            var (read, written) = (bytes.count - consumed, Self.pieceBytes)
            let next = [UInt8](unsafeUninitializedCapacity: written) { buffer, count in
                code = livery_inflate(inflater, start + consumed, &read, buffer.baseAddress, &written)
                count = written
            }
            piece = piece.isEmpty ? next : piece + next
            consumed += read
            isFull = written == Self.pieceBytes
            // Raw deflate has no trailer, so the end of a body may be in the inflater alone.
        } while code == 0 && isFull && consumed == bytes.count
        // Input without progress would be read without end.
        guard code >= 0, consumed > 0 || !piece.isEmpty else { return nil }
        isInMember = code == 0
        return (consumed, piece)
    }
}
