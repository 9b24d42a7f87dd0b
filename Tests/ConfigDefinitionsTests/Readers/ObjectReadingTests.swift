// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Configuration
import Foundation
import RemoteConfig
import RemoteConfigTesting
import TestSupport
import Testing

/// Objects read through a configuration reader, which has no getter for them.
@Suite(.timeLimit(.minutes(5)))
struct ObjectReadingTests {
    struct Menu: Codable, Equatable {
        var title: String
        var prices: [String: Double]
    }

    /// Stored as an array of texts, or as a number: what only an array's or a number's getter reads.
    struct Names: Codable, Equatable {
        var names: Set<String>
        init(_ names: Set<String>) { self.names = names }
        init(from decoder: any Decoder) throws { names = try Set(decoder.singleValueContainer().decode([String].self)) }
        func encode(to encoder: any Encoder) throws { try names.sorted().encode(to: encoder) }
    }

    struct Ratio: Codable, Equatable {
        var number: Double
        init(_ number: Double) { self.number = number }
        init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Double.self) }
        func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
    }

    private static let values: [String: EntryValue] = [
        "app.menu": ["title": "Lunch", "prices": ["pie": 2.5]], "app.menus": [["title": "Tea", "prices": [:]]],
        "app.names": ["Ada", "Bob"], "app.ratio": 0.5, "app.text": "{brackets}",
    ]
    private static let lunch = Menu(title: "Lunch", prices: ["pie": 2.5])

    /// A plain file, an exact one, and the doubles of both.
    enum Kind: CaseIterable { case plainFile, exactFile, plain, exact }

    private func service(_ kind: Kind, in folder: TemporaryDirectory) throws -> SyncService {
        switch kind {
        case .plain, .exact: return SyncService(source: TestSource(Self.values, isExact: kind == .exact))
        case .plainFile, .exactFile:
            let json = EntryValue.object(EntryObject(Self.values.map { ($0.key, $0.value) })).canonicalJSON
            let text = kind == .plainFile ? json : #"{"livery":1,"entries":\#(json)}"#
            try text.write(toFile: folder["config.json"], atomically: true, encoding: .utf8)
            return SyncService(source: FileSource(path: folder["config.json"]))
        }
    }

    @Test(arguments: Kind.allCases) func definitionsReadObjectsOfAnySource(kind: Kind) async throws {
        let folder = try TemporaryDirectory()
        let service = try service(kind, in: folder)
        _ = await service.refresh()
        let config = ConfigReader(provider: RemoteConfigProvider(service: service))
        let sources = ConfigSources(remote: ReaderSource(config))
        func value<Value: Codable & Equatable & Sendable>(_ key: String, _ other: Value) -> Value {
            ConfigDefinition(key, default: other).remote(key).value(from: sources)
        }
        #expect(value("app.menu", Menu(title: "", prices: [:])) == Self.lunch)
        #expect(value("app.menus", [Menu]()) == [Menu(title: "Tea", prices: [:])])
        #expect(value("app.names", Names([])) == Names(["Ada", "Bob"]))
        #expect(value("app.ratio", Ratio(0)) == Ratio(0.5))
        #expect(try config.value(forKey: "app.menu") == Self.lunch)
        #expect(try config.value(forKey: "app.menus", as: [Menu].self)?.first?.title == "Tea")
        #expect(try config.snapshot().value(forKey: "app.menu") == Self.lunch)
        #expect(try service.value(forKey: "app.menu") == Self.lunch)
        #expect(config.string(forKey: "app.me") == nil && config.string(forKey: "app.none") == nil)
        #expect(value("app.text", "") == "{brackets}")
        let title = ConfigDefinition("app.menu", default: "none").remote("app.menu")
        #expect(title.value(from: sources) == "none", "an object is no text")
        #expect(title.explain(from: sources).description.contains("is not a text"))
    }

    @Test(arguments: [false, true]) func changesOfObjectsAreFollowed(isExact: Bool) async throws {
        let source = TestSource(Self.values, isExact: isExact)
        let service = SyncService(source: source)
        try await service.running {
            let remote = ReaderSource(ConfigReader(provider: RemoteConfigProvider(service: service)))
            let menu = ConfigDefinition("app.menu", default: Menu(title: "", prices: [:])).remote("app.menu")
            let repository = ConfigRepository(sources: ConfigSources(remote: remote))
            repository.add(menu)
            let seen = Recorder<String>()
            let subscription = repository.listen(to: menu) { seen.record($0.title) }
            await source.publish(["app.menu": ["title": "Dinner", "prices": ["soup": 4]]])
            try await until("the change is seen") { seen.values.last == "Dinner" }
            withExtendedLifetime(subscription) {}
        }
    }

    @Test func anObjectWithASecretIsOne() throws {
        for isExact in [false, true] {
            let state = ConfigState(preview: ["db": ["user": "u", "password": "p"]], isExact: isExact)
            let provider = RemoteConfigProvider(state: state, secrets: ["db", "db.password"])
            let result = try provider.value(forKey: AbsoluteConfigKey(["db"]), type: .bytes)
            #expect(result.value?.isSecret == true)
        }
    }
}
