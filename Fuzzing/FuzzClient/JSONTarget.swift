// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Foundation
import FuzzKit

extension FuzzTarget {
    /// Configuration documents and JSON values.
    ///
    /// Accepted input is valid JSON for Foundation too and round-trips, and one reader accepts whatever the stricter one does.
    /// Errors have positions within the text, and a value's size is known before it is written.
    static let json = FuzzTarget("json") { bytes in
        let document = reading { () throws(ConfigError) in try ConfigDocument(json: bytes, source: "fuzz") }
        let value = reading { () throws(ConfigError) in try EntryValue(anyJSON: bytes) }
        for error in [document.failure, value.failure] { error?.location.map { requirePlace($0, in: bytes) } }
        if let document = document.success { require(document, readBy: value, of: bytes) }
        if let value = value.success { require(value, of: bytes) }
    }

    private static func require(
        _ document: ConfigDocument,
        readBy value: Result<EntryValue, ConfigError>,
        of bytes: [UInt8]
    ) {
        // Foundation limits nesting separately. Parts left out may contain duplicate names, or numbers beyond all doubles.
        let isAllowed = value.failure?.code == .tooLarge || !document.leftOut.isEmpty
        FuzzKit.require(value.success != nil || isAllowed, "\(value) of a document")
        let foundation = try? JSONSerialization.jsonObject(with: Data(bytes))
        FuzzKit.require(foundation != nil || !document.leftOut.isEmpty, "Foundation refuses a document")
        for value in document.entries.values.map(\.value) {
            FuzzKit.require(value.canonicalByteCount == value.canonicalJSON.utf8.count, "\(value) has another size")
        }
        var json = JSONWriter()
        json.document(document.entries.map { ($0.key, $0.value.value) })
        let again = reading { () throws(ConfigError) in try ConfigDocument(json: json.bytes, source: "fuzz") }
        FuzzKit.require(
            again.success?.entries.mapValues(\.value) == document.entries.mapValues(\.value),
            "\(document) is read again as \(again)"
        )
    }

    private static func require(_ value: EntryValue, of bytes: [UInt8]) {
        let again = reading { () throws(ConfigError) in try EntryValue(anyJSON: value.canonicalBytes) }
        FuzzKit.require(again.success == value, "\(value) is read again as \(again)")
        let rest = reading { () throws(ConfigError) in
            var scanner = try JSONScanner(bytes)
            try scanner.skipValue()
            scanner.skipWhitespace()
            return scanner.current
        }
        FuzzKit.require(rest.success == .some(nil), "a value is passed over up to \(rest)")
    }

    private static func requirePlace(_ place: TextLocation, in bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        FuzzKit.require((1...lines.count).contains(place.line), "\(place) is not in \(bytes)")
        let columns = lines[place.line - 1].count + 1
        FuzzKit.require((1...columns).contains(place.column), "\(place) is not in \(bytes)")
    }
}

/// The result of reading something.
func reading<Value>(_ read: () throws(ConfigError) -> Value) -> Result<Value, ConfigError> { Result(catching: read) }

extension Result {
    var success: Success? { try? get() }

    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
