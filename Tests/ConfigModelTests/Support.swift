// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// Reads a text as a document named `d.json`.
func document(_ text: String) throws(ConfigError) -> ConfigDocument {
    try ConfigDocument(json: Array(text.utf8), source: "d.json")
}

/// The values of a document by key.
func values(of text: String) throws(ConfigError) -> [String: EntryValue] {
    try document(text).entries.mapValues(\.value)
}

/// The error of a document, or else of its first left-out key; `nil` without any.
func problem(in bytes: [UInt8]) -> ConfigError? {
    do throws(ConfigError) {
        return try ConfigDocument(json: bytes, source: "d.json").problems.first
    } catch {
        return error
    }
}

/// The same of a text.
func problem(in text: String) -> ConfigError? {
    problem(in: Array(text.utf8))
}
