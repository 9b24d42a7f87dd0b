import ConfigModel

/// Reads a text as a document named `d.json`.
func document(_ text: String) throws(ConfigError) -> ConfigDocument {
    try ConfigDocument(json: Array(text.utf8), source: "d.json")
}

/// The values of a document by key.
func values(of text: String) throws(ConfigError) -> [String: EntryValue] {
    try document(text).entries.mapValues(\.value)
}

/// The error of reading a document, or `nil` if there is none.
func problem(in bytes: [UInt8]) -> ConfigError? {
    do throws(ConfigError) {
        _ = try ConfigDocument(json: bytes, source: "d.json")
        return nil
    } catch {
        return error
    }
}

/// The error of reading a text, or `nil` if there is none.
func problem(in text: String) -> ConfigError? {
    problem(in: Array(text.utf8))
}
