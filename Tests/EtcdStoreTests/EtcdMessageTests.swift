// SPDX-License-Identifier: Apache-2.0

#if Etcd
    import ConfigModel
    import ConfigStore
    @testable import EtcdStore
    import Testing

    struct EtcdMessageTests {
        @Test
        func transactionIsEncodedForTheGateway() {
            let request = EtcdRequest(
                expected: ["/p/head": 7],
                operations: [.put(key: "a", value: Array("1".utf8)), .delete(EtcdRange(start: "b", end: "c"))],
                otherwise: [.range(.key("a"), limit: 2, revision: 9, keysOnly: true)]
            )
            let expected = """
                {"compare":[{"key":"L3AvaGVhZA==","target":"MOD","mod_revision":"7"}],\
                "success":[{"request_put":{"key":"YQ==","value":"MQ=="}},\
                {"request_delete_range":{"key":"Yg==","range_end":"Yw=="}}],\
                "failure":[{"request_range":{"key":"YQ==","limit":"2","revision":"9","keys_only":true}}]}
                """
            #expect(String(decoding: request.json, as: UTF8.self) == expected)
        }

        @Test
        func anAnswerIsRead() throws {
            let json = """
                {"header":{"cluster_id":"14841639068965178418","revision":"11","raft_term":"2"},"succeeded":true,\
                "responses":[{"response_put":{"header":{"revision":"11"}}},{"response_range":{"header":{},"kvs":\
                [{"key":"YQ==","create_revision":"2","mod_revision":"3","version":"2","value":"Mg=="}],"more":true}}]}
                """
            let answer = try EtcdAnswer(json: Array(json.utf8))
            #expect(answer.succeeded && answer.header.revision == 11)
            #expect(answer.header.cluster == 14_841_639_068_965_178_418)
            #expect(answer.range(0).pairs.isEmpty && answer.range(5).pairs.isEmpty)
            #expect(answer.range(1).pairs == [EtcdPair(keyBytes: Array("a".utf8), value: Array("2".utf8), revision: 3)])
            #expect(answer.range(1).hasMore)
            #expect(throws: ConfigError.self) { try EtcdAnswer(json: Array("<html>".utf8)) }
        }

        @Test
        func watchReportsPutsAndItsEnd() throws {
            let event = #"{"result":{"header":{"revision":"3"},"events":[{"kv":{"key":"YQ==","mod_revision":"3"}}]}}"#
            let told = try EtcdWatchMessage(json: Array(event.utf8))
            #expect(!told.isCanceled)
            #expect(told.pairs == [EtcdPair(keyBytes: Array("a".utf8), revision: 3)])
            let end = #"{"result":{"watch_id":"-1","created":true,"canceled":true,"cancel_reason":"no"}}"#
            #expect(try EtcdWatchMessage(json: Array(end.utf8)).reason == "no")
            let error = #"{"error":{"grpc_code":14,"http_code":503,"message":"gone","http_status":"x"}}"#
            let failed = try EtcdWatchMessage(json: Array(error.utf8))
            #expect(failed.isCanceled && failed.reason == "gone")
        }

        @Test(arguments: [
            ("etcdserver: mvcc: database space exceeded", 8, EtcdFailure.Kind.noSpace),
            ("etcdserver: request is too large", 3, .tooLarge),
            ("grpc: received message larger than max (7000008 vs. 2097152)", 8, .tooLarge),
            ("etcdserver: user name is empty", 3, .tokenExpired),
            ("etcdserver: invalid auth token", 16, .tokenExpired),
            ("etcdserver: authentication failed, invalid user ID or password", 3, .unauthenticated),
            ("etcdserver: permission denied", 7, .forbidden),
            ("etcdserver: mvcc: required revision has been compacted", 11, .compacted),
            ("etcdserver: request timed out, possibly due to previous leader failure", 14, .unreachable),
            ("etcdserver: leader changed", 14, .unreachable),
            ("etcdserver: too many requests", 8, .unreachable),
            ("etcdserver: mvcc: required revision is a future revision", 11, .other),
        ])
        func aRefusalMeans(_ message: String, _ code: Int, _ kind: EtcdFailure.Kind) {
            let json = #"{"error":"\#(message)","message":"\#(message)","code":\#(code)}"#
            let failure = EtcdFailure(.body(Array(json.utf8)), status: 400)
            #expect(failure.kind == kind)
            // Only what no member has answered properly may have been done.
            #expect(failure.isUncertain == (kind == .unreachable))
        }

        /// The format that stores have in etcd, which later versions must go on reading and writing.
        @Test
        func recordsKeepTheirFormat() throws {
            let (time, digest) = (Timestamp(milliseconds: 1_700_000_000_000), ConfigDigest())
            let cursor = RevisionCursor(epoch: try #require(Epoch("9f86d081884c7d65")), revision: 9)
            let head = EtcdHead(cursor: cursor, updatedAt: time, nextID: 8, logBytes: 12, cluster: .max)
            try expectFormat(
                of: head,
                """
                {"version":4,"epoch":"9f86d081884c7d65","revision":9,"updated_at":1700000000000,"next_id":8,\
                "log_bytes":12,"cluster":"18446744073709551615"}
                """
            )
            var revision = EtcdRevision(revision: 9, updatedAt: time, namespace: "default", previous: 3)
            revision.author = "ana"
            revision.changes = [
                EtcdChange(
                    key: "a",
                    value: .integer(1),
                    id: 7,
                    createdAt: Timestamp(milliseconds: 5),
                    old: .double(0.1)
                ),
                EtcdChange(key: "b", old: .string("")),
            ]
            try expectFormat(
                of: EtcdBatch(id: 5, offset: 12, nextID: 8, revisions: [revision]),
                """
                {"version":1,"id":"5","offset":12,"next_id":8,"revisions":[{"revision":9,"updated_at":1700000000000,\
                "namespace":"default","previous":3,"digest":"\(digest)","author":"ana","changes":\
                [{"key":"a","value":1,"id":7,"created_at":5,"old":0.1},{"key":"b","old":""}]}]}
                """
            )
            var end = EtcdHead(updatedAt: time, nextID: 8, logBytes: 12)
            end.cursor.revision = 9
            try expectFormat(
                of: EtcdSnapshot(head: end, id: 5, parts: 1, bytes: 99),
                """
                {"version":1,"revision":9,"id":"5","updated_at":1700000000000,"next_id":8,"log_bytes":12,"parts":1,\
                "bytes":99}
                """
            )
            let entry = StoredEntry(id: 7, value: .boolean(true), revision: 9, createdAt: time, updatedAt: time)
            try expectFormat(
                of: EtcdPart(
                    namespaces: [.init(name: "default", revision: 9, digest: digest)],
                    entries: [.init(namespace: "default", key: "a", entry: entry)]
                ),
                """
                {"namespaces":[{"name":"default","revision":9,"digest":"\(digest)"}],"entries":[{"namespace":"default",\
                "key":"a","value":true,"id":7,"revision":9,"created_at":1700000000000,"updated_at":1700000000000}]}
                """
            )
        }

        private func expectFormat<Record: EtcdRecord>(of record: Record, _ json: String) throws {
            #expect(String(decoding: record.json, as: UTF8.self) == json)
            #expect(try Record(json: Array(json.utf8)) == record)
            let newer = json.replacing(#"{"#, with: #"{"unknown":[{"a":null}],"#, maxReplacements: 1)
            #expect(try Record(json: Array(newer.utf8)) == record)
        }

        @Test
        func theOrderOfRevisionsIsThatOfTheirKeys() {
            let layout = EtcdLayout(prefix: "p")
            let revisions: [UInt64] = [0, 1, 9, 10, 15, 16, 255, 256, 1 << 40, .max]
            #expect(revisions.map(layout.log).sorted() == revisions.map(layout.log))
            #expect(revisions.map { layout.revision(ofLog: layout.log($0)) } == revisions)
            #expect(layout.revision(ofLog: "/p/log/xyz") == nil && layout.revision(ofLog: "/p/head") == nil)
        }
    }
#endif
