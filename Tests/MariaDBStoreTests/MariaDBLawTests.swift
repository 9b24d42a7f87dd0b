// SPDX-License-Identifier: Apache-2.0

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

    /// A server whose binary log has statements, which refuses bulk operations.
    @Suite(
        .mariaDB(["--log-bin", "--binlog-format=STATEMENT", "--log-bin-trust-function-creators=1"]),
        .serialized,
        .timeLimit(.minutes(5))
    )
    struct MariaDBStatementLogTests {
        @Test(arguments: StoreLaw.all.filter { $0.description.contains("batch") })
        func aServerThatLogsStatementsKeeps(_ law: StoreLaw) async throws {
            try await law.check(in: try await MariaDBPlace())
        }
    }
#endif
