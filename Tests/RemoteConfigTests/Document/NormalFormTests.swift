// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import RemoteConfig
import TestSupport
import Testing

/// Texts in each normal form of Unicode are kept byte for byte by each format, and are distinct.
struct NormalFormTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// A document whose key `k` is a list with one object: a member for each form, of the same text.
    private static func document(_ format: String) -> String {
        let names = NormalForm.names.map { EntryValue.string($0).canonicalJSON }
        return switch format {
        case "yaml": "k:\n- " + names.map { "\($0): \($0)" }.joined(separator: "\n  ")
        default: "{\"k\": [{" + names.map { "\($0): \($0)" }.joined(separator: ", ") + "}]}"
        }
    }

    private static let formats: [String] = {
        var formats = ["json"]
        #if YAML
            formats.append("yaml")
        #endif
        return formats
    }()

    @Test(arguments: formats)
    func membersAndTextsAreKept(format: String) async throws {
        try folder.overwrite(Self.document(format), at: "c.\(format)")
        let reading = try await FileSource(path: folder["c.\(format)"]).read()
        let value = try #require(reading.document?.entries["k"]?.value)
        for value in [value, try EntryValue(json: Array(value.canonicalJSON.utf8))] {
            guard case .array(let elements) = value, case .object(let members)? = elements.first else {
                throw ConfigError(.typeMismatch, "not a list of objects")
            }
            #expect(members.count == NormalForm.names.count)
            for name in NormalForm.names { #expect(members[name] == .string(name), "\(name)") }
        }
    }

    #if os(Linux)
        @Test(arguments: TemporaryDirectory.names)
        func pathsAreKept(name: String) async throws {
            for other in TemporaryDirectory.names { try folder.makeFolder(other) }
            for other in TemporaryDirectory.names {
                let text = other.utf8.elementsEqual(name.utf8) ? "this" : "another"
                try folder.overwrite("{\"k\": \"\(text)\"}", at: "\(other)/\(other)")
            }
            let path = folder["\(name)/\(name)"]
            let source = FileSource(path: path)
            #expect(source.identity.utf8.elementsEqual(path.utf8))
            #expect(try await source.read().document?.entries["k"]?.value == "this")
            let encoded = path.pathBytes.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            let located = try SourceLocator("file://" + encoded.replacingOccurrences(of: "%2f", with: "/"))
            #expect(try await located.source().read().document?.entries["k"]?.value == "this")
        }
    #endif
}
