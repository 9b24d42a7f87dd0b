import ConfigModel
import RemoteConfig
import TestSupport
import Testing

@testable import LiveryApp

@MainActor
struct CacheWarningsTests {
    @Test func eachProblemIsSaidOnce() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("{}", to: "config.json")
        try folder.write("no folder", to: "cache")
        let source = FileSource(path: folder.path(to: "config.json"))
        let cache = ConfigCache(folder: folder.path(to: "cache"), programVersion: "1")
        let sync = SyncService(source: source, cache: cache)
        var said: [String] = []
        let warnings = CacheWarnings(of: sync) { said.append($0) }
        warnings.report()
        #expect(said.isEmpty)
        await sync.refresh()
        warnings.report()
        warnings.report()
        #expect(said.count == 1)
        #expect(said.first?.hasPrefix("livery: the cache cannot be written") == true)
    }

    @Test func aDamagedCacheIsSaidBeforeAnythingIsRead() throws {
        let folder = try TemporaryDirectory()
        let source = FileSource(path: folder.path(to: "config.json"))
        let cache = ConfigCache(folder: folder.path(to: "cache"), programVersion: "1")
        try folder.write("damaged", to: String(cache.path(ofSource: source.identity).dropFirst(folder.path.count + 1)))
        var said: [String] = []
        CacheWarnings(of: SyncService(source: source, cache: cache)) { said.append($0) }.report()
        #expect(said.count == 1)
        #expect(said.first?.contains("it is set aside as") == true)
    }
}
