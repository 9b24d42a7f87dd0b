// SPDX-License-Identifier: Apache-2.0

// The limits that most definitions have, by themselves; see ``ValueLimit`` for elements of arrays and values that may be nil.

extension ConfigDefinition where Value: ConfigStorable & Comparable & Numeric {
    /// Limits numbers to a range, bounds included: `0...1`, `1...`, `...80`.
    public func limited(to range: some RangeExpression<Value>) -> ConfigDefinition { limited(by: .range(range)) }
}

extension ConfigDefinition<String> {
    /// Limits the length of texts, in Unicode scalars as JSON Schema counts: `1...80`, `1...`, `...80`.
    public func limited(toLength range: some RangeExpression<Int>) -> ConfigDefinition { limited(by: .length(range)) }

    /// Limits strings to those with a part that matches an ECMA-262 regular expression; `^` and `$` match the start and the
    /// end.
    ///
    /// - Parameter pattern: the expression; see ``ValueLimit/pattern(_:)``.
    public func matching(pattern: String) -> ConfigDefinition { limited(by: .pattern(pattern)) }
}

extension ConfigDefinition {
    /// Limits the number of an array's elements: `1...8`, `1...`, `...8`.
    public func limited<Element>(toCount range: some RangeExpression<Int>) -> ConfigDefinition
    where Value == [Element] {
        limited(by: .count(range))
    }
}

extension ConfigDefinition where Value: ConfigStorable {
    /// Limits values to these. Editors let a person choose from them.
    public func oneOf(_ options: [Value]) -> ConfigDefinition { limited(by: .options(options)) }

    /// Limits values to these, which editors show by their names: `["Slow": 1, "Fast": 100]`.
    public func oneOf(_ options: KeyValuePairs<String, Value>) -> ConfigDefinition { limited(by: .options(options)) }
}
