// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import TestSupport

/// A type with a member of each kind that `Codable` knows.
struct CodedValues: Codable, Equatable {
    enum Mood: String, Codable, CaseIterable { case calm, curious }

    /// It is written with containers in containers.
    enum Shape: Codable, Equatable {
        case point
        case circle(radius: Double)
        indirect case group([Shape], name: String?)
    }

    /// It is written as an array of mixed kinds, by hand.
    struct Pair: Codable, Equatable {
        var number: Int
        var text: String?
        var flags: [Bool]

        init(number: Int, text: String?, flags: [Bool]) { (self.number, self.text, self.flags) = (number, text, flags) }

        init(from decoder: any Decoder) throws {
            var elements = try decoder.unkeyedContainer()
            number = try elements.decode(Int.self)
            text = try elements.decodeIfPresent(String.self)
            var inner = try elements.nestedUnkeyedContainer()
            flags = []
            while !inner.isAtEnd { flags.append(try inner.decode(Bool.self)) }
        }

        func encode(to encoder: any Encoder) throws {
            var elements = encoder.unkeyedContainer()
            try elements.encode(number)
            if let text { try elements.encode(text) } else { try elements.encodeNil() }
            var inner = elements.nestedUnkeyedContainer()
            for flag in flags { try inner.encode(flag) }
        }
    }

    var flag: Bool
    var text: String
    var integers: [Int]
    var byte: UInt8
    var small: Int16
    var long: Int64
    var ratio: Double
    var float: Float
    var missing: Int?
    var texts: [String?]
    var table: [String: [Double]]
    var byNumber: [Int: String]
    var mood: Mood
    var shape: Shape
    var pair: Pair
    var moment: Date
    var url: URL
    var data: Data
    var id: UUID
    var color: RGBColor
    var version: SemanticVersion
}

extension CodedValues {
    init(from random: inout SeededGenerator) {
        flag = .random(using: &random)
        text = random.text()
        integers = random.list { $0.integer() }
        byte = .random(in: .min ... .max, using: &random)
        small = .random(in: .min ... .max, using: &random)
        long = Int64(random.integer())
        ratio = random.double()
        float = Float(random.double())
        missing = Bool.random(using: &random) ? nil : random.integer()
        texts = random.list { Bool.random(using: &$0) ? nil : $0.text() }
        table = Dictionary(random.list { ($0.text(), $0.list { $0.double() }) }) { $1 }
        byNumber = Dictionary(random.list { ($0.integer(), $0.text()) }) { $1 }
        mood = Mood.allCases.randomElement(using: &random) ?? .calm
        shape = Shape(from: &random, depth: 4)
        pair = Pair(
            number: random.integer(),
            text: Bool.random(using: &random) ? nil : random.text(),
            flags: random.list { .random(using: &$0) }
        )
        moment = Date(timeIntervalSince1970: Double(random.integer() % 2_000_000_000))
        url = URL(string: "https://example.com/\(random.integer())?q=%20#\(random.integer())") ?? URL(filePath: "/")
        data = Data(random.list { .random(in: .min ... .max, using: &$0) })
        let bits = (random.next(), random.next())
        id = withUnsafeBytes(of: bits) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        color = RGBColor(UInt32(truncatingIfNeeded: random.next()))
        version = SemanticVersion("\(byte).\(small.magnitude).0-rc.1") ?? .livery
    }
}

extension CodedValues.Shape {
    fileprivate init(from random: inout SeededGenerator, depth: Int) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: self = .point
        case 1 where depth > 0:
            let parts = random.list { CodedValues.Shape(from: &$0, depth: depth - 1) }
            self = .group(parts, name: Bool.random(using: &random) ? nil : random.text())
        default: self = .circle(radius: random.double())
        }
    }
}

extension SeededGenerator {
    /// Up to three elements.
    fileprivate mutating func list<Element>(_ draw: (inout SeededGenerator) -> Element) -> [Element] {
        (0..<Int.random(in: 0..<4, using: &self)).map { _ in draw(&self) }
    }

    /// An integer of JSON, small and large ones alike.
    fileprivate mutating func integer() -> Int {
        (Int(truncatingIfNeeded: next()) >> 10) >> Int.random(in: 0..<54, using: &self)
    }

    /// A finite number within what `Float` holds.
    fileprivate mutating func double() -> Double {
        while true {
            let number = Double(bitPattern: next())
            if number == 0 || (1e-30...1e30).contains(number.magnitude) { return number }
        }
    }

    fileprivate mutating func text() -> String {
        let pieces = ["a", "Z", "\"", "\\", "\n", "\u{1B}", "😸", "é", "e\u{301}", ".", "[", " ", "0"]
        return list { pieces.randomElement(using: &$0) ?? "" }.joined()
    }
}
