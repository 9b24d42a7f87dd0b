// SPDX-License-Identifier: Apache-2.0

// The texts of JSON that does not parse, each with its place. Those of one place alone are where they are thrown.
extension JSONScanner {
    /// An error at the current place.
    package mutating func error(_ code: ConfigError.Code, _ message: String) -> ConfigError {
        ConfigError(code, message, location: location)
    }

    package mutating func unexpected(_ expectation: String) -> ConfigError {
        guard let byte = current else {
            return error(.syntax, "unexpected end of input; expected \(expectation)")
        }
        let isPrintable = (0x21...0x7E).contains(byte)
        let found = isPrintable ? "'\(Unicode.Scalar(byte))'" : "another character"
        return error(.syntax, "expected \(expectation), found \(found)")
    }

    package mutating func unknownMember(_ name: String, known: [String]) -> ConfigError {
        let shown = name.excerpt(ofScalars: 64)
        let names = known.map { "'\($0)'" }.joined(separator: ", ")
        return error(.syntax, "unknown member '\(shown)'; expected one of \(names)")
    }

    mutating func loneSurrogate() -> ConfigError {
        error(.syntax, "unpaired surrogate; escape a character beyond U+FFFF as a pair, e.g. \\ud83d\\ude38")
    }
}

extension ConfigError {
    /// The same error with its source and the line of its place.
    func naming(source: String, ofText text: [UInt8]) -> ConfigError {
        var error = naming(source: source)
        error.excerpt = location.map { Excerpt(of: text, at: $0) }
        return error
    }
}
