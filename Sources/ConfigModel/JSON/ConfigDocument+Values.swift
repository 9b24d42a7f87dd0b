// SPDX-License-Identifier: Apache-2.0

extension ConfigDocument {
    /// Creates a document from values, such as a program's defaults.
    ///
    /// ```swift
    /// let defaults = try ConfigDocument(values: [
    ///     "app.title": "Hi",
    ///     "theme": ["dark": true, "colors": ["#FFB6C1", "#000000"]],
    /// ])
    /// ```
    ///
    /// - Parameter values: the values by key. A key may have dots; an object is a branch of the keys, as in a plain document.
    /// - Throws: ``ConfigError`` that names the key: `duplicateKey`, `invalidKey`, `unsupportedValue`, `tooLarge`.
    public init(values: KeyValuePairs<String, EntryValue>) throws(ConfigError) {
        let json = JSONWriter.object { object in
            for (key, value) in values { object.member(key) { $0.value(value) } }
        }
        try self.init(generatedJSON: json, source: "bundled default")
    }

    /// Reads generated JSON, in which positions are meaningless. It has the plain form, and no key is left out.
    package init(generatedJSON json: [UInt8], source: String) throws(ConfigError) {
        do throws(ConfigError) {
            try self.init(json: json, source: source, mayBeExact: false)
            if let problem = problems.first { throw problem }
        } catch {
            var error = error
            (error.location, error.excerpt) = (nil, nil)
            if error.code == .duplicateKey { error.message = "duplicate key; remove one" }
            throw error
        }
        entries = entries.replacing(with: entries.values.map { Entry(value: $0.value, location: nil) })
    }
}
