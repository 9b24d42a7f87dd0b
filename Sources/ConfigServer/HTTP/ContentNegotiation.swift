// SPDX-License-Identifier: Apache-2.0

internal import CZlib
package import NIOCore

enum MediaTypeName: String {
    case json = "application/json"
    case form = "application/x-www-form-urlencoded"

    /// - Returns: `nil` for any other type, and for any other character set than UTF-8.
    init?(field: String) {
        // As nearly all clients write it.
        if field == Self.json.rawValue {
            self = .json
            return
        }
        let parts = field.lowercased().split(separator: ";").map(\.trimmed)
        let charsets = parts.dropFirst().filter { $0.hasPrefix("charset=") }
        guard charsets.allSatisfy({ ["charset=utf-8", "charset=\"utf-8\""].contains($0) }) else { return nil }
        self.init(rawValue: parts.first ?? "")
    }
}

extension ReadConditions {
    /// Whether gzip, or `*` in its place, is listed with a quality above 0 (RFC 9110, section 12.5.3).
    var acceptsGzip: Bool {
        guard let acceptEncoding else { return false }
        var wildcard: Bool?
        for element in acceptEncoding.split(separator: ",") {
            let parts = element.split(separator: ";").map { $0.trimmed.lowercased() }
            guard let coding = parts.first else { continue }
            let qualities = parts.dropFirst().filter { $0.hasPrefix("q=") }
            let isAccepted = qualities.allSatisfy { Double($0.dropFirst(2)) ?? 0 > 0 }
            if coding == "gzip" || coding == "x-gzip" { return isAccepted }
            if coding == "*" { wildcard = isAccepted }
        }
        return wildcard ?? false
    }
}

extension StringProtocol {
    var trimmed: String {
        var bytes = Substring(self).utf8
        bytes.trimSpaces()
        return String(Substring(bytes))
    }
}

package enum Gzip {
    /// Smaller bodies are not worth compressing.
    static let minimumBytes = 512

    /// The body compressed; `nil` if that does not make it smaller.
    package static func compress(_ body: ByteBuffer) -> ByteBuffer? {
        guard body.readableBytes >= minimumBytes else { return nil }
        var stream = z_stream()
        // 15 bits of window, and 16 for a gzip header and trailer.
        let version = deflateInit2_(
            &stream,
            Z_DEFAULT_COMPRESSION,
            Z_DEFLATED,
            15 + 16,
            8,
            Z_DEFAULT_STRATEGY,
            ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size)
        )
        guard version == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var input = Array(body.readableBytesView)
        var output = [UInt8](repeating: 0, count: body.readableBytes)
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { return nil }
        return ByteBuffer(bytes: output.prefix(output.count - Int(stream.avail_out)))
    }
}
