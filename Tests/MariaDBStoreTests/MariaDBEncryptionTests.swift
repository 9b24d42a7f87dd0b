// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    import ConfigModel
    import ConfigStore
    import MariaDBStore
    import TestSupport
    import Testing

    /// A server with a certificate of an authority that only the test knows.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct MariaDBEncryptionTests {
        private struct Encrypted: Sendable {
            let folder: TemporaryDirectory
            let server: RunningMariaDB
            let database: String

            init() throws {
                folder = try TemporaryDirectory(prefix: "tls")
                let script = """
                    set -e
                    openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=authority
                    openssl req -newkey rsa:2048 -nodes -keyout key.pem -out request.pem -subj /CN=database
                    printf 'subjectAltName=IP:127.0.0.1,DNS:localhost' > names
                    openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names \
                        -out cert.pem
                    """
                _ = try Command.shell(script, workingDirectory: folder.path).run().ofSuccess()
                server = try RunningMariaDB(
                    options: ["--ssl-cert=\(folder["cert.pem"])", "--ssl-key=\(folder["key.pem"])"]
                )
                database = try server.makeDatabase()
                let user = "'livery'@'127.0.0.1'"
                try server.run(
                    "CREATE USER \(user) IDENTIFIED BY 'hunter2' REQUIRE SSL; GRANT ALL ON \(database).* TO \(user)"
                )
            }

            func store(_ tls: StoreTLS) -> MariaDBEntryStore {
                let address = MariaDBAddress(
                    user: "livery",
                    host: "127.0.0.1",
                    port: server.port,
                    database: database,
                    tls: tls
                )
                return MariaDBEntryStore(address, password: StorePassword("hunter2"))
            }
        }

        @Test func onlyServersSignedByTheAuthorityAreTrusted() async throws {
            let encrypted = try await onDedicatedThread { try Encrypted() }
            let authority = encrypted.folder["ca.pem"]
            for tls in [StoreTLS(mode: .on, authorities: authority), StoreTLS(mode: .unverified)] {
                let store = encrypted.store(tls)
                defer { store.close() }
                #expect(try await store.load().head.revision == 0)
            }
            // The system's authorities do not know it.
            let stranger = encrypted.store(StoreTLS(mode: .on))
            let error = await #expect(throws: StoreError.self) { try await stranger.load() }
            #expect(error?.message.contains("TLS connection to MariaDB") == true, "\(error?.message ?? "")")
            // The user must not connect without encryption.
            let plain = encrypted.store(StoreTLS(mode: .off))
            let refusal = await #expect(throws: StoreError.self) { try await plain.load() }
            #expect(refusal?.message.contains("rejected the user") == true, "\(refusal?.message ?? "")")
        }
    }
#endif
