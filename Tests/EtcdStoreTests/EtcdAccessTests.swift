// SPDX-License-Identifier: Apache-2.0

#if Etcd
    import ConfigModel
    import ConfigStore
    import EtcdStore
    import StoreTestSupport
    import TestSupport
    import Testing

    /// Permissions and certificates.
    @Suite(.timeLimit(.minutes(5)))
    struct EtcdAccessTests {
        @Test func aProbeNeedsThePermissionsOfAWrite() async throws {
            let etcd = try await onDedicatedThread { try RunningEtcd() }
            var place = EtcdPlace(etcd, prefix: "config")
            try await place.opened().edit(["key": 1])
            try await onDedicatedThread {
                try etcd.members[0].enableUsers([("reader", "secret", "READ"), ("writer", "secret", "READWRITE")])
            }
            (place.address.user, place.password) = ("reader", StorePassword("secret"))
            let store = try await place.opened()
            #expect(await store.problem()?.reason == .permission)
            let error = await #expect(throws: StoreError.self) { try await store.edit(["key": 2]) }
            #expect(error?.reason == .permission)
            #expect(await store.problem()?.reason == .permission)
            (place.address.user, place.password) = ("writer", StorePassword("secret"))
            let other = try await place.opened()
            #expect(await other.problem() == nil)
            #expect(try await other.edit(["key": 3]).commit != nil)
            withExtendedLifetime(etcd) {}
        }

        @Test func tlsErrorsAreInWords() async throws {
            let folder = try TemporaryDirectory(prefix: "etcd-tls")
            let names = ["a", "b"].map { name in
                """
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout \(name).key \
                -out \(name).pem -days 2 -subj /CN=\(name) -addext subjectAltName=\(name == "a" ? "IP:127.0.0.1" : "DNS:b")
                """
            }
            let script = names.joined(separator: " && ")
            try #require(try Command.shell(script, workingDirectory: folder.path).run().status.isSuccess)
            let encrypted = try await Self.member(["--cert-file", folder["a.pem"], "--key-file", folder["a.key"]])
            let misnamed = try await Self.member(["--cert-file", folder["b.pem"], "--key-file", folder["b.key"]])
            let plain = try await SharedEtcd.single.started()
            let own = StoreTLS(mode: .on, authorities: folder["a.pem"])
            try folder.writeSecret("", to: "empty")
            for (etcd, tls, words) in [
                (encrypted, StoreTLS(mode: .on), "not trusted"),
                (encrypted, StoreTLS(mode: .off), "connection closed"),
                (
                    misnamed, StoreTLS(mode: .on, authorities: folder["b.pem"]),
                    "the certificate does not match the host"
                ),
                (plain, own, "connection closed"),
                (
                    encrypted, StoreTLS(mode: .on, authorities: folder["none"]),
                    "none: no such file or directory; check the TLS setting ca"
                ),
                (encrypted, StoreTLS(mode: .on, authorities: folder["a.key"]), "it contains no certificates"),
                (
                    encrypted,
                    StoreTLS(mode: .on, identity: .init(certificate: folder["a.pem"], privateKey: folder["empty"])),
                    "it contains no private key"
                ),
            ] {
                var place = EtcdPlace(etcd)
                place.address.tls = tls
                let error = await #expect(throws: StoreError.self) { try await place.opened() }
                // Whether the member closes the connection or resets it depends on what it has read.
                let isCut = words == "connection closed"
                #expect(!isCut || error?.message.contains("tls") == true, "\(error?.message ?? "")")
                #expect(error?.reason == (isCut ? .unreachable : .certificate), "\(error?.message ?? "")")
                #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
                #expect(error?.message.contains("SSL") == false, "\(error?.message ?? "")")
            }
            withExtendedLifetime((encrypted, misnamed, plain, folder)) {}
        }

        @Test func refusedClientCertificatesAreInWords() async throws {
            let folder = try TemporaryDirectory(prefix: "etcd-tls")
            let script = """
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout a.key -out a.pem \
                -days 2 -subj /CN=a -addext subjectAltName=IP:127.0.0.1 -addext extendedKeyUsage=serverAuth,clientAuth
                """
            try #require(try Command.shell(script, workingDirectory: folder.path).run().status.isSuccess)
            let (certificate, key) = (folder["a.pem"], folder["a.key"])
            // The member's own health check has no certificate: the metrics' address is for it.
            let etcd = try await Self.member(
                [
                    "--cert-file", certificate, "--key-file", key, "--client-cert-auth", "--trusted-ca-file",
                    certificate,
                ],
                client: ["--cert", certificate, "--key", key]
            )
            var place = EtcdPlace(etcd)
            place.address.tls = StoreTLS(mode: .on, authorities: certificate)
            let error = await #expect(throws: StoreError.self) { try await place.opened() }
            #expect(error?.reason == .certificate, "\(error?.message ?? "")")
            #expect(error?.message.contains("check the settings cert and key") == true, "\(error?.message ?? "")")
            place.address.tls.identity = .init(certificate: certificate, privateKey: key)
            #expect(try await place.opened().edit(["key": 1]).commit != nil)
            withExtendedLifetime((etcd, folder)) {}
        }

        private static func member(_ arguments: [String], client: [String] = []) async throws -> RunningEtcd {
            try await onDedicatedThread { try RunningEtcd(arguments: arguments, scheme: "https", client: client) }
        }
    }
#endif
