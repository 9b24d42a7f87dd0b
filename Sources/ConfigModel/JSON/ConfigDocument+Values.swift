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

    /// Creates a document from values that are known at run time, such as those of a database, with rules and schemas.
    ///
    /// ```swift
    /// let document = try ConfigDocument(
    ///     entries: ["app.title": "Hi", "app.menu": ["title": "Home"]],
    ///     rules: ["app.title": ["variants": ["hola": "Hola"], "targeting": ["if": [["==": [["var": "language"], "es"]], "hola"]]]]
    /// )
    /// for problem in document.problems { print(problem) }
    /// ```
    ///
    /// It has the exact form: an object is the value of its key. A key, a rule or a schema that cannot be stored is left out, and
    /// ``problems`` has an error for each, with its key.
    ///
    /// - Parameters:
    ///   - entries: the values by key.
    ///   - rules: the rules by key, as flagd writes them.
    ///   - schemas: the JSON Schemas by key or pattern.
    ///   - source: what errors call the document.
    /// - Throws: `tooLarge` beyond ``maximumBytes``.
    public init(
        entries: [String: EntryValue],
        rules: [String: EntryValue] = [:],
        schemas: [String: EntryValue] = [:],
        source: String = "values"
    ) throws(ConfigError) {
        var json = JSONWriter()
        json.document(entries.lazy.map { (key: $0, value: $1) }, schemas: schemas, rules: rules, isExact: true)
        try self.init(withoutPlaces: json.bytes, source: source, mayBeExact: true)
    }

    /// Reads generated JSON, in which positions are meaningless. It has the plain form, and no key is left out.
    package init(generatedJSON json: [UInt8], source: String) throws(ConfigError) {
        try self.init(withoutPlaces: json, source: source, mayBeExact: false)
        if let problem = problems.first { throw problem }
    }

    private init(withoutPlaces json: [UInt8], source: String, mayBeExact: Bool) throws(ConfigError) {
        do throws(ConfigError) {
            try self.init(text: json, source: source, mayBeExact: mayBeExact) { () throws(ConfigError) in
                try JSONScanner(json)
            }
        } catch {
            throw error.withoutPlace
        }
        problems = problems.map(\.withoutPlace)
        entries = entries.replacing(with: entries.values.map { Entry(value: $0.value, location: nil) })
        rules = rules.mapValues { Entry(value: $0.value, location: nil) }
    }
}

extension ConfigError {
    fileprivate var withoutPlace: ConfigError {
        var error = self
        (error.location, error.excerpt) = (nil, nil)
        if code == .duplicateKey { error.message = "duplicate key; remove one" }
        return error
    }
}
