#if MariaDB
    internal import ConfigModel
    internal import ConfigStore
    internal import Foundation

    /// What a server has to be for a store to be kept in it.
    struct MariaDBServer: Hashable {
        /// Such as `10.11.6-MariaDB`.
        var name: String
        /// Such as 101106.
        var version: UInt
        /// Whether the server is a member of a Galera cluster.
        var isGalera = false
        /// How many members the cluster has.
        var galeraMembers = 0

        /// Why no store can be kept in the server, or `nil` if one can.
        var problem: StoreError? {
            guard name.localizedStandardContains("mariadb"), version >= 100_500 else {
                let shown = name.excerpt(ofScalars: 40)
                return StoreError(.unavailable, "the store needs MariaDB 10.5 or later, and the server is '\(shown)'")
            }
            guard isGalera, galeraMembers > 1 else { return nil }
            return StoreError(
                .unavailable,
                """
                the database is a Galera cluster of \(galeraMembers) members that all write, where a row cannot be \
                locked for all of them, so that revisions would lose their order; use one primary with replicas, or etcd
                """
            )
        }

        /// - Throws: ``StoreError``, if no store can be kept in the server.
        static func check(_ connection: MariaDBConnection) throws {
            let (name, version) = connection.server
            var server = MariaDBServer(name: name, version: version)
            for row in try connection.rows(Self.galera) {
                switch (try row.text(0).lowercased(), try row.text(1)) {
                case ("wsrep_on", let value): server.isGalera = ["ON", "1"].contains(value)
                case (_, let value): server.galeraMembers = Int(value) ?? 0
                }
            }
            if let problem = server.problem { throw problem }
        }

        private static let galera: SQL = """
            SELECT VARIABLE_NAME, VARIABLE_VALUE FROM information_schema.GLOBAL_VARIABLES WHERE VARIABLE_NAME = 'WSREP_ON'
            UNION ALL
            SELECT VARIABLE_NAME, VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS
            WHERE VARIABLE_NAME = 'WSREP_CLUSTER_SIZE'
            """
    }
#endif
