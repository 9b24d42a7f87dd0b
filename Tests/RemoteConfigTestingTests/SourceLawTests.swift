// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import RemoteConfig
import RemoteConfigTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct SourceLawTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try folder.replace("values.json", with: #"{"a": 1}"#)
    }

    @Test(arguments: SourceLaw.all) func sourcesOfTheLibraryKeep(law: SourceLaw) async throws {
        let path = folder["values.json"]
        let sources: [any ConfigSource] = [
            FileSource(path: path), FolderSource(path: folder.path), TestSource(["a": 1]),
            LayeredSource([FileSource(path: path), TestSource(["a": 2, "b": 2])]),
        ]
        for source in sources { #expect(await law.violation { source } == nil, "\(source.name)") }
    }

    @Test func eachLawFindsAViolation() async throws {
        let violations = Log<String>()
        for law in SourceLaw.all {
            if await law.violation({ FickleSource() }) != nil { violations.append(law.description) }
        }
        // Following ends by itself.
        #expect(violations.entries == SourceLaw.all.dropLast().map(\.description))
    }
}

/// A source that breaks the laws.
private final class FickleSource: ConfigSource {
    private static let count = Mutex(0)
    let name: String
    let delivery = SourceDelivery.polled(every: .seconds(30))

    init() { name = "source \(Self.next())" }

    private static func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }

    func read(after known: SourcePosition) async throws(ConfigModel.ConfigError) -> SourceReading {
        if known == SourcePosition(), known.queue == nil { return SourceReading(.unchanged) }
        return SourceReading(.document(try ConfigDocument(values: ["a": .integer(Self.next())])))
    }
}
