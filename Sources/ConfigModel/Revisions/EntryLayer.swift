// SPDX-License-Identifier: Apache-2.0

/// The contents of one document: of a source, of a layer of it, or of the bundled defaults.
///
/// A rule belongs to its layer: it refers to the evaluators of the layer, and its result is a value of the layer.
package struct EntryLayer: Sendable {
    /// The values before rules are evaluated, and the rules, by their ``EntryKind``.
    package private(set) var held: ConfigEntries
    /// The results of the rules in the program's context, where the state has several layers.
    var given = ConfigEntries()
    /// Whether the values are those of one context, because the source has evaluated them.
    package let dependsOnContext: Bool
    /// Whether the values are right in the current context.
    package var isOfContext = true
    private var ruleCount: Int
    /// Another object for each different ``held``, to compare contents at once.
    package private(set) var mark = Mark()
    /// The text that the entries were read from; `nil` unless all of them and their places are those of a text.
    package internal(set) var text: DividedText.Mark?

    /// An identity.
    package final class Mark: Sendable {
        package init() {}
    }

    /// - Parameters:
    ///   - held: Values, and rules by their ``EntryKind``.
    ///   - dependsOnContext: Whether the source has evaluated the values for one context.
    package init(_ held: ConfigEntries = ConfigEntries(), dependsOnContext: Bool = false) {
        (self.held, self.dependsOnContext) = (held, dependsOnContext)
        ruleCount = held.keys.count { EntryKind(of: $0) == .rule }
    }

    /// Whether there are rules, or evaluators for rules.
    package var hasRules: Bool { ruleCount > 0 }

    /// The keys that have rules.
    package var ruledKeys: [String] {
        hasRules
            ? held.keys.compactMap { EntryKind.rule.name(of: $0) }.filter { $0 != EntryKind.sharedRules } : []
    }

    /// The values without rules, of which those of rules have their results.
    var values: ConfigEntries {
        if !hasRules { return held }
        var values = held
        for key in held.keys where EntryKind(of: key) == .rule { values[key] = nil }
        values.replace(given.map { (key: $0.key, entry: $0.value) })
        return values
    }

    /// Whether another layer has the same values and rules.
    func hasSameEntries(as other: EntryLayer) -> Bool {
        mark === other.mark || held.keys(differingFrom: other.held).isEmpty
    }

    /// The value of a key: the result of its rule, else its default value.
    func value(forKey key: String) -> ConfigEntry? { given[key] ?? held[key] }

    /// Replaces an entry.
    ///
    /// - Returns: The former one.
    mutating func set(_ entry: ConfigEntry?, forKey key: String) -> ConfigEntry? {
        let known = held[key]
        (held[key], text) = (entry, nil)
        if EntryKind(of: key) == .rule { ruleCount += (entry == nil ? 0 : 1) - (known == nil ? 0 : 1) }
        // A mark of this layer alone is known nowhere else.
        if known != entry, !isKnownUniquelyReferenced(&mark) { mark = Mark() }
        return known
    }

    /// Replaces the places of entries.
    mutating func moveEntries(_ moved: (TextLocation) -> TextLocation) {
        held.moveEach(moved)
        mark = Mark()
    }

    /// Keeps the results of a former state of the layer for keys that have not changed.
    mutating func keepResults(of former: EntryLayer, besides names: Set<String>) {
        given = former.given
        for name in names { given[name] = nil }
    }
}

extension EntryLayer: Hashable {
    /// Equal when both have the same entries, with the same results.
    package static func == (left: EntryLayer, right: EntryLayer) -> Bool {
        (left.mark === right.mark || left.held == right.held) && left.given == right.given
            && left.dependsOnContext == right.dependsOnContext && left.isOfContext == right.isOfContext
    }

    /// Hashes the entries.
    package func hash(into hasher: inout Hasher) { hasher.combine(held) }
}
