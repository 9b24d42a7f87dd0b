// SPDX-License-Identifier: Apache-2.0

extension SHA256 {
    /// The message authentication code of a message: HMAC-SHA256 (RFC 2104), 32 bytes.
    ///
    /// - Parameter key: not more than 64 bytes; a hash has 32.
    package static func authenticationCode(of message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
        let block = key + Array(repeating: 0, count: max(0, 64 - key.count))
        var inner = SHA256()
        inner.update(block.map { $0 ^ 0x36 })
        inner.update(message)
        var outer = SHA256()
        outer.update(block.map { $0 ^ 0x5c })
        outer.update(inner.finish())
        return outer.finish()
    }
}
