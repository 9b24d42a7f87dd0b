// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport

/// Draws documents, and damages them.
struct DocumentGenerator {
    private var values: ValueGenerator

    init(seed: UInt64) { values = ValueGenerator(seed: seed) }

    /// A document and what is in it.
    ///
    /// - Parameter count: The number of its members; a few if `nil`.
    mutating func document(members count: Int? = nil) -> (json: String, entries: [String: EntryValue]) {
        var entries: [String: EntryValue] = [:]
        let json = object(prefix: "", depth: 0, members: count, into: &entries)
        return (space() + json + space(), entries)
    }

    private mutating func object(
        prefix: String,
        depth: Int,
        members count: Int? = nil,
        into entries: inout [String: EntryValue]
    ) -> String {
        let members = (0..<(count ?? pick(0..<4))).map { index in
            // The index makes the names unique; a letter keeps them from being the same key in another notation.
            let name = ["a", "b.c", "D-e", "_", "f.g.h"][pick(0..<5)] + "\(depth)\(index)"
            let key = prefix + name
            let isObject = depth < 3 && pick(0..<4) == 0
            let value =
                isObject ? object(prefix: key + ".", depth: depth + 1, into: &entries) : scalar(key, into: &entries)
            return "\(space())\"\(name)\"\(space()):\(space())\(value)\(space())"
        }
        return "{" + (members.isEmpty ? space() : members.joined(separator: ",")) + "}"
    }

    private mutating func scalar(_ key: String, into entries: inout [String: EntryValue]) -> String {
        let value = values.value()
        entries[key] = value
        return value.canonicalJSON
    }

    /// The bytes with one to three errors.
    mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<pick(1..<4) {
            let place = pick(0..<bytes.count + 1)
            let end = min(bytes.count, place + pick(1..<4))
            switch pick(0..<7) {
            case 0: bytes.removeSubrange(place..<end)
            case 1: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 2: bytes.insert(UInt8(pick(0..<256)), at: place)
            case 3 where place < end: bytes[place] ^= 1 << pick(0..<8)
            case 4: bytes.removeSubrange(end...)
            default: bytes.insert(contentsOf: Self.tokens[pick(0..<Self.tokens.count)].utf8, at: place)
            }
        }
        return bytes
    }

    /// The bytes with members that are added, removed, copied or moved to other lines, and mostly valid.
    mutating func edited(_ bytes: [UInt8]) -> [UInt8] {
        let commas = bytes.indices.filter { bytes[$0] == UInt8(ascii: ",") }
        guard commas.count > 2 else { return bytes }
        let (one, other) = (commas[pick(0..<commas.count)], commas[pick(0..<commas.count)])
        let near = commas[min(commas.lowerBound { $0 <= one } + pick(0..<3), commas.count - 1)]
        var bytes = bytes
        switch pick(0..<9) {
        case 0: bytes.insert(contentsOf: "\n".utf8, at: one + 1)
        case 1: bytes.insert(contentsOf: Self.members[pick(0..<Self.members.count)].utf8, at: one + 1)
        case 2 where one < near: bytes.removeSubrange(one..<near)
        case 3 where one < near: bytes.insert(contentsOf: bytes[one..<near], at: other)
        case 4: bytes.removeAll { $0 == UInt8(ascii: "\n") }
        case 5: bytes = bytes.flatMap { $0 == UInt8(ascii: ",") ? [$0, UInt8(ascii: "\n")] : [$0] }
        default:
            // Another digit, which is in a key or in a value.
            let digits = bytes.indices.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[$0]) }
            bytes[digits[pick(0..<digits.count)]] = UInt8(ascii: "1") + UInt8(pick(0..<9))
        }
        return bytes
    }

    private static let members = [
        "\"z\":1,", "\"z\":{},", "\"z\":{\"y\":\"é🐶\"},", "\"z.y\":[1,{\"x\":null}],", "\"z\":{\"y\":{\"x\":2}},",
        "\"\\u007a\":1,", "\"livery\":1,", "\"livery\":1,\"entries\":{},", "\"é\":1,", "\"z\":null,",
    ]

    private static let tokens = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "null", "true", "false", "0", "-", ".", "e", "1e999", "01", "\\u",
        "\\ud83d",
        "\\ude38", "\\n", "\n", "\t", " ", "\u{1}", "é", "🐶", "\u{FEFF}", "[]", "{}", "[[", "\"a00\":1,", ",\"b\":null",
        ",\"é\":1",
        "12345678901234567890", "/", "+", "'",
    ]

    private mutating func space() -> String { ["", "", "", " ", "\n", "\r\n", "\t "][pick(0..<7)] }

    private mutating func pick(_ range: Range<Int>) -> Int { Int.random(in: range, using: &values.random) }
}
