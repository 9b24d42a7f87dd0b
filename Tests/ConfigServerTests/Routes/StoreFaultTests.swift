import ConfigModel
import ConfigServer
import Synchronization
import TestSupport
import Testing

/// What clients hear where the store fails.
@Suite(.timeLimit(.minutes(2)))
struct StoreFaultTests {
    struct Case: Sendable {
        var code: StoreError.Code
        var status: Int
        var problem: String
        var retries: Bool
    }

    @Test(arguments: [
        Case(code: .full, status: 507, problem: "storage-full", retries: true),
        Case(code: .readOnly, status: 503, problem: "read-only", retries: true),
        Case(code: .unavailable, status: 503, problem: "store-unavailable", retries: true),
        Case(code: .damaged, status: 503, problem: "store-unavailable", retries: true),
        Case(code: .uncertain, status: 503, problem: "write-uncertain", retries: false),
        Case(code: .tooLarge, status: 413, problem: "too-large", retries: false),
    ])
    func `each failure has its answer, and the next write is as if it had not been`(wanted: Case) async throws {
        let store = FaultyStore()
        try await TestServer.run(store: store) { server in
            store.state.withLock { $0.commitFaults = [.refuse(StoreError(wanted.code, "/secret/path failed"))] }
            try await server.script { client in
                let answer = try client.ask("PUT", "/v1/default/entries/a", body: #"{"value":1}"#)
                #expect(answer.status == wanted.status)
                #expect(answer["content-type"] == "application/problem+json")
                #expect(try ProblemDetails(json: answer.body).type == "urn:livery:problem:\(wanted.problem)")
                #expect((answer["retry-after"] != nil) == wanted.retries)
                #expect(wanted.code == .tooLarge || !answer.text.contains("/secret/path"))
                #expect(try client.ask("GET", "/v1/default/config").status == 200)
                #expect(try client.ask("PUT", "/v1/default/entries/a", body: #"{"value":2}"#).status == 201)
            }
        }
    }
}
