internal import CZlib
internal import NIOCore

/// Compression by RFC 1952.
enum Gzip {
    /// Smaller bodies are not worth compressing.
    static let minimumBytes = 512

    /// The body compressed; `nil` if that does not make it smaller.
    static func compress(_ body: ByteBuffer) -> ByteBuffer? {
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
