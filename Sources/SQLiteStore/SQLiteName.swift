// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

extension String {
    /// The name by which SQLite opens the file of a path: the path, or an address where its bytes are not UTF-8.
    var asSQLiteName: String {
        // A path that begins like an address would be taken for one.
        guard carriesBytes || utf8.starts(with: "file:".utf8) else { return self }
        let isPlain = { (byte: UInt8) in byte.isLetter || byte.isDigit || "/-._~".utf8.contains(byte) }
        let encoded = pathBytes.map { byte in
            isPlain(byte) ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "file:" + encoded.joined()
    }
}
