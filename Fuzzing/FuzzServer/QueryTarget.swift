// SPDX-License-Identifier: Apache-2.0

import ConfigWire
import FuzzKit

@testable import ConfigServer

extension FuzzTarget {
    /// A request's target.
    ///
    /// Path and query are parts that can be joined again, and a correctly written parameter is read as intended, whatever
    /// surrounds it.
    static let query = FuzzTarget("query") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let target = RequestTarget(text)
        let query = target.query.map { "?" + $0 } ?? ""
        let whole = target.path + query
        require(text.utf8.count >= whole.utf8.count, "\(whole) of \(text)")
        require(!target.path.utf8.contains(UInt8(ascii: "?")), "\(target.path) is not a path")
        for segment in target.segments {
            require(!segment.isEmpty && !segment.utf8.contains(UInt8(ascii: "/")), "\(segment) is not a segment")
        }
        for parameter in [WireParameter.after, .epoch, .historyKey] { _ = try? target.parameter(parameter) }
        _ = try? target.revision(.after)
        requireRead(bytes)
    }

    private static func requireRead(_ bytes: [UInt8]) {
        let encoded = bytes.map { byte in
            let digits = String(byte, radix: 16)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }
        let target = RequestTarget("/a?x=1&livery-fuzz=\(encoded.joined())&y")
        let meant = String(validating: bytes, as: UTF8.self)
        let read = target.query.flatMap { try? FormPairs($0.utf8).value(of: "livery-fuzz") }
        let isSame = meant.map { meant in read.map { $0.utf8.elementsEqual(meant.utf8) } ?? false } ?? (read == nil)
        require(isSame, "\(bytes) is read as \(String(describing: read))")
    }
}
