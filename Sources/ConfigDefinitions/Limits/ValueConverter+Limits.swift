// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

extension ValueConverter {
    /// The stored form as a value of the remote configuration, which has no numbers beyond ``EntryValue/maximumInteger``.
    func entryValue(of value: Value) -> EntryValue? {
        let json = json(of: value)
        // A number beyond the maximum is not a value of a configuration.
        return json == .null ? .null : try? EntryValue(json: json.canonicalBytes)
    }

    /// The same converter for values within limits only.
    func limited(by limits: [ValueLimit<Value>]) -> ValueConverter {
        limits.isEmpty ? self : filtered { value in limits.lazy.compactMap { $0.problem(with: value) }.first }
    }
}
