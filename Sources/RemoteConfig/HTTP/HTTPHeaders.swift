/// Header fields, whose names differ in case only by accident.
package struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// The values by lower-cased name. Fields that came more than once are joined by a comma.
    private var values: [String: String] = [:]

    /// Creates headers from names and values; a name that comes twice has both values, joined by a comma.
    package init(_ fields: some Sequence<(name: String, value: String)> = []) {
        for (name, value) in fields {
            values.merge([name.lowercased(): value]) { $0 + ", " + $1 }
        }
    }

    /// Creates headers from a literal.
    package init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.lazy.map { (name: $0.0, value: $0.1) })
    }

    /// The value of a field, whatever the case of its name.
    package subscript(name: String) -> String? {
        get { values[name.lowercased()] }
        set { values[name.lowercased()] = newValue }
    }

    /// The fields by name, in lower case and sorted.
    package var fields: [(name: String, value: String)] {
        values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }
}
