// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// JSON Pointers (RFC 6901), and Relative JSON Pointers.
enum PointerSyntax {
    /// Empty, or tokens after a slash each, in which `~0` and `~1` are the only escapes.
    static func isPointer(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.isEmpty || bytes.first == UInt8(ascii: "/") else { return false }
        return bytes.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false).dropFirst()
            .allSatisfy { $0.first.map { $0.isOne(of: "01") } == true }
    }

    /// The number of levels to go up, and `#` or a pointer.
    static func isRelativePointer(_ bytes: ArraySlice<UInt8>) -> Bool {
        let levels = bytes.prefix(while: \.isDigit)
        let rest = bytes[levels.endIndex...]
        guard !levels.isEmpty, levels.count == 1 || levels.first != UInt8(ascii: "0") else { return false }
        return rest.elementsEqual("#".utf8) || isPointer(rest)
    }
}
