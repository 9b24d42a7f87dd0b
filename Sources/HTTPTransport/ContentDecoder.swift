// SPDX-License-Identifier: Apache-2.0

internal import CCurl

/// Decodes the body of an answer by its `Content-Encoding`: gzip, in any number of members and with zeros between and after
/// them (RFC 1952 allows members, and tapes pad with zeros), and deflate. It stays on the loop's thread.
final class ContentDecoder {
    /// An error of the encoding, or an encoding that is not known.
    struct Damage: Error {}

    private let inflater: UnsafeMutableRawPointer
    /// Whether bytes of a member have been read, and not its end.
    private var isInMember = false

    /// How many bytes are decoded at once: little enough for a limit to stop a bomb.
    private static let pieceBytes = 64 * 1024

    /// Whether gzip can be decoded on this machine.
    static var isAvailable: Bool { livery_inflate_load() != 0 }

    /// - Parameter encoding: the value of `Content-Encoding`.
    /// - Returns: `nil` for a body that is not encoded.
    /// - Throws: ``Damage`` for an encoding that is not known here.
    static func decoder(of encoding: String?) throws(Damage) -> ContentDecoder? {
        switch (encoding ?? "").lowercased() {
        case "", "identity": return nil
        case "gzip", "x-gzip", "deflate":
            guard let inflater = livery_inflate_new() else { throw Damage() }
            return ContentDecoder(inflater)
        default: throw Damage()
        }
    }

    private init(_ inflater: UnsafeMutableRawPointer) { self.inflater = inflater }

    deinit { livery_inflate_free(inflater) }

    /// Whether the bytes so far end where a body may.
    var isAtEnd: Bool { !isInMember }

    /// Decodes the beginning of some bytes.
    ///
    /// - Returns: how many of the bytes were read, and what they are; at most 64 KiB.
    func decode(_ bytes: UnsafeRawBufferPointer) throws(Damage) -> (consumed: Int, piece: [UInt8]) {
        if !isInMember {
            let padding = bytes.prefix { $0 == 0 }.count
            if padding > 0 { return (padding, []) }
        }
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return (0, []) }
        var (consumed, written, code) = (bytes.count, Self.pieceBytes, Int32(0))
        let piece = [UInt8](unsafeUninitializedCapacity: written) { buffer, count in
            code = livery_inflate(inflater, start, &consumed, buffer.baseAddress, &written)
            count = written
        }
        // Input without progress would be read without end.
        guard code >= 0, consumed > 0 || written > 0 else { throw Damage() }
        isInMember = code == 0
        return (consumed, piece)
    }
}
