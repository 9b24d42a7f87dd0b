// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TestSupport
import Testing

/// Random chains against a reference of five lines.
struct ChainPropertyTests {
    private enum Link {
        case constant(Int?)
        case silent
        case condition(Bool, Int?)
        case stored(EntryValue?)

        var override: Override<Int?> {
            switch self {
            case .constant(let value), .condition(true, let value): .value(value)
            case .stored(.integer(let number)): .value(number)
            case .stored(.null): .value(nil)
            case .silent, .condition(false, _), .stored: .noOverride
            }
        }
    }

    private static func reference(_ chain: [Link], default value: Int?) -> Int? {
        for link in chain.reversed() {
            if case .value(let value) = link.override { return value }
        }
        return value
    }

    private static func link(using random: inout SeededGenerator) -> Link {
        let value = Bool.random(using: &random) ? Int.random(in: 0..<100, using: &random) : nil
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .constant(value)
        case 1...3: return .silent
        case 4, 5: return .condition(Bool.random(using: &random), value)
        default:
            let stored: [EntryValue?] = [nil, nil, .null, .integer(7), .string("malformed")]
            return .stored(stored.randomElement(using: &random) ?? nil)
        }
    }

    private static func definition(of chain: [Link], default value: Int?) -> ConfigDefinition<Int?> {
        chain.reduce(ConfigDefinition("n", default: value)) { definition, link in
            switch link {
            case .constant(let value): definition.static(value)
            case .silent: definition.dynamic { nil }
            case .condition(let holds, let value): definition.when(return: value) { holds }
            case .stored(let json):
                definition.stored(key: "k", in: MemoryStore(json.map { ["k": $0] } ?? [:]))
            }
        }
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func theResolutionOfRandomChainsIsThatOfTheReference(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let inputs = LinkInputs.empty()
        for _ in 0..<5000 {
            let chain = (0..<Int.random(in: 0...9, using: &random)).map { _ in Self.link(using: &random) }
            let value = Int.random(in: 100..<200, using: &random)
            let definition = Self.definition(of: chain, default: value)
            let expected = Self.reference(chain, default: value)
            #expect(definition.value(from: inputs) == expected, "seed \(seed), chain \(chain)")
            #expect(definition.explain(from: inputs).value == (expected.map { "\($0)" } ?? "none"))
        }
    }
}
