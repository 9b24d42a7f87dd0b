// SPDX-License-Identifier: Apache-2.0

import ConfigModel

extension RuleMachine {
    /// `fractional`: the variant of the part that the context falls into, the same every time and in every program.
    mutating func variant(of split: RuleSplit, _ node: Int, in scope: Scope) throws(ExceededLimit) -> EntryValue {
        try charge(split.parts.count / 8)
        if split.bucketBy == nil, let total = split.fixedTotal, case .context = scope, bucketing != .flagd1 {
            return try variant(of: split, total, node)
        }
        var parts: [(variant: EntryValue, weight: Int)] = []
        parts.reserveCapacity(split.parts.count)
        var hash: UInt32?
        if let bucketBy = split.bucketBy {
            let value = try value(of: bucketBy, in: scope)
            switch value {
            // Before flagd-3, users without the value are divided by the targeting key.
            case .null: if bucketing == .flagd3 { return .null }
            // The first part of the split is the one that yields an array.
            case .array(let pair):
                guard let part = Self.part(pair) else { return .null }
                parts.append(part)
            default:
                try charge(all: value)
                hash = bucketing.hash(of: value)
                if hash == nil { return .null }
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
        if bucketing == .flagd1 { return variant(ofPercent: hash, parts, total, node) }
        let bucket = Int((UInt64(hash) * UInt64(total)) >> 32)
        decisions?.append(.split(bucket: bucket, total: total), at: node, of: shared)
        var end = 0
        for part in parts {
            end += part.weight
            if bucket < end { return part.variant }
        }
        return .null
    }

    /// The same by percents of the users, whose limits are sums of doubles as in flagd.
    private mutating func variant(
        ofPercent hash: UInt32,
        _ parts: [(variant: EntryValue, weight: Int)],
        _ total: Int,
        _ node: Int
    ) -> EntryValue {
        let percent = Double(Int32(bitPattern: hash)).magnitude / Double(Int32.max) * 100
        decisions?.append(.split(bucket: Int(percent), total: 100), at: node, of: shared)
        var end = 0.0
        for part in parts {
            end += 100 * Double(part.weight) / Double(total)
            if percent < end { return part.variant }
        }
        return .null
    }

    /// The same for a split whose parts are all constants and that divides users by the targeting key.
    private mutating func variant(of split: RuleSplit, _ total: Int, _ node: Int) throws(ExceededLimit) -> EntryValue {
        inputs.insert(.targetingKey)
        guard let key = context.targetingKey, !key.isEmpty else { return .null }
        try charge(text: key)
        guard (1...RuleSplit.maximumTotal).contains(total) else { return .null }
        let hash = bucketing.hash(of: key, for: readFlag())
        let bucket = Int((UInt64(hash) * UInt64(total)) >> 32)
        decisions?.append(.split(bucket: bucket, total: total), at: node, of: shared)
        var end = 0
        for (index, part) in split.parts.enumerated() {
            guard case .fixed(let variant, let weight) = part else { continue }
            end += weight
            if bucket < end {
                self.part = index
                return variant
            }
        }
        return .null
    }

    /// The hash of the flag and the targeting key, by which users fall into parts unless the rule names something else.
    private mutating func keyHash(in scope: Scope) throws(ExceededLimit) -> UInt32? {
        guard case .string(let key)? = try value(at: ["targetingKey"], in: scope), !key.isEmpty else { return nil }
        try charge(text: key)
        let flag = if case .string(let flag)? = try value(at: ["$flagd", "flagKey"], in: scope) { flag } else { "" }
        return bucketing.hash(of: key, for: flag)
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
