import ConfigModel
import ConfigStore
import ConfigStoreTesting
import SQLiteStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SQLiteLawTests {
    @Test(arguments: StoreLaw.all)
    func sqliteKeeps(_ law: StoreLaw) async throws {
        try await law.check(in: try SQLitePlace())
    }
}

private final class SQLitePlace: StorePlace {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    func open(now: @escaping @Sendable () -> Timestamp) async throws -> any ConfigStore {
        var options = SQLiteStore.Options()
        options.now = now
        return SQLiteStore(path: folder.path(to: "livery.sqlite"), options: options)
    }

    func close(_ store: any ConfigStore) async throws {
        try await (store as? SQLiteStore)?.close()
    }
}
