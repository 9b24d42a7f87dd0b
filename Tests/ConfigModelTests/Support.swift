import ConfigModel

/// Reads a text as a document named `d.json`.
func document(_ text: String) throws(ConfigError) -> ConfigDocument {
    try ConfigDocument(json: Array(text.utf8), source: "d.json")
}

/// The values of a document by key.
func values(of text: String) throws(ConfigError) -> [String: ConfigValue] {
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

/// Random numbers that are the same in every run (SplitMix64, Steele, Lea and Flood 2014).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
