// SPDX-License-Identifier: Apache-2.0

import ConfigModel

extension RuleMachine {
    /// `fractional`: the variant of the part that the context falls into, the same every time and in every program.
    ///
    /// The way of bucketing is called `flagd-3`: MurmurHash3 over deterministic CBOR, scaled to the sum of the weights.
    mutating func variant(of split: RuleSplit, _ node: Int, in scope: Scope) throws(ExceededLimit) -> EntryValue {
        try charge(split.parts.count / 8)
        if split.bucketBy == nil, let total = split.fixedTotal, case .context = scope {
            return try variant(of: split, total, node)
        }
        var parts: [(variant: EntryValue, weight: Int)] = []
        parts.reserveCapacity(split.parts.count)
        var hash: UInt32?
        if let bucketBy = split.bucketBy {
            let value = try value(of: bucketBy, in: scope)
            switch value {
            case .null: return .null
            // The first part of the split is the one that yields an array.
            case .array(let pair):
                guard let part = Self.part(pair) else { return .null }
                parts.append(part)
            default:
                try charge(all: value)
                hash = DeterministicCBOR(value).hash
            }
        }
        if hash == nil { hash = try keyHash(in: scope) }
        guard let hash else { return .null }
        for part in split.parts {
            guard let part = try self.part(part, in: scope) else { return .null }
            parts.append(part)
        }
        let total = parts.reduce(0) { $0 + $1.weight }
        guard (1...RuleSplit.maximumTotal).contains(total) else { return .null }
        let bucket = Int((UInt64(hash) * UInt64(total)) >> 32)
        decisions?.append(.split(bucket: bucket, total: total), at: node, of: shared)
        var end = 0
        for part in parts {
            end += part.weight
            if bucket < end { return part.variant }
        }
        return .null
    }

    /// The same for a split whose parts are all constants and that divides users by the targeting key.
    private mutating func variant(of split: RuleSplit, _ total: Int, _ node: Int) throws(ExceededLimit) -> EntryValue {
        guard let key = context.targetingKey, !key.isEmpty else { return .null }
        try charge(text: key)
        guard (1...RuleSplit.maximumTotal).contains(total) else { return .null }
        let hash = DeterministicCBOR.hash(ofPair: readFlag(), key)
        let bucket = Int((UInt64(hash) * UInt64(total)) >> 32)
        decisions?.append(.split(bucket: bucket, total: total), at: node, of: shared)
        var end = 0
        for case .fixed(let variant, let weight) in split.parts {
            end += weight
            if bucket < end { return variant }
        }
        return .null
    }

    /// The hash of the flag and the targeting key, by which users fall into parts unless the rule names something else.
    private mutating func keyHash(in scope: Scope) throws(ExceededLimit) -> UInt32? {
        guard case .string(let key)? = try value(at: ["targetingKey"], in: scope), !key.isEmpty else { return nil }
        try charge(text: key)
        let flag = if case .string(let flag)? = try value(at: ["$flagd", "flagKey"], in: scope) { flag } else { "" }
        return DeterministicCBOR.hash(ofPair: flag, key)
    }

    private mutating func part(
        _ part: RuleSplit.Part,
        in scope: Scope
    ) throws(ExceededLimit) -> (variant: EntryValue, weight: Int)? {
        switch part {
        case .fixed(let variant, let weight): return (variant, weight)
        case .pair(let variant, let weight):
            let variant = try value(of: variant, in: scope)
            guard let weight else { return (variant, 1) }
            return Self.part([variant, try value(of: weight, in: scope)])
        case .computed(let node):
            guard case .array(let pair) = try value(of: node, in: scope) else { return nil }
            return Self.part(pair)
        }
    }

    private static func part(_ pair: [EntryValue]) -> (variant: EntryValue, weight: Int)? {
        switch (pair.count, pair.last) {
        case (1, _): (pair[0], 1)
        // A negative weight, which may be the remainder of another one, counts as 0.
        case (2, .integer(let weight)?): weight <= RuleSplit.maximumTotal ? (pair[0], max(0, weight)) : nil
        default: nil
        }
    }
}
