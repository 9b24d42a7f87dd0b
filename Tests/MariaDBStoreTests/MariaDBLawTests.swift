#if MariaDB
    import ConfigStoreTesting
    import StoreTestSupport
    import Testing

    @Suite(.mariaDB, .serialized, .timeLimit(.minutes(5)))
    struct MariaDBLawTests {
        @Test(arguments: StoreLaw.all + StoreLaw.shared)
        func mariaDBKeeps(_ law: StoreLaw) async throws {
            try await law.check(in: try await MariaDBPlace())
        }
    }
#endif
