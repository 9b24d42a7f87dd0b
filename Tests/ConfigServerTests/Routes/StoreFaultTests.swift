// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigStore
import ConfigWire
import HubTestSupport
import InMemoryLogging
import Logging
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import ConfigServer

/// The responses to clients when the store fails.
@Suite(.timeLimit(.minutes(5)))
struct StoreFaultTests {
    struct Case: Sendable {
        var code: StoreError.Code
        var reason: StoreError.Reason?
        var status: Int
        var problem: String
        var retries: Bool
    }

    @Test(arguments: [
        Case(code: .full, status: 507, problem: "storage-full", retries: true),
        Case(code: .readOnly, status: 503, problem: "read-only", retries: true),
        Case(code: .unavailable, status: 503, problem: "store-unavailable", retries: true),
        Case(code: .unavailable, reason: .permission, status: 503, problem: "store-unavailable", retries: true),
        Case(code: .damaged, status: 503, problem: "store-unavailable", retries: true),
        Case(code: .uncertain, status: 503, problem: "write-uncertain", retries: false),
        Case(code: .tooLarge, status: 413, problem: "too-large", retries: false),
    ])
    func everyStoreFailureIsAnsweredAndForgotten(wanted: Case) async throws {
        let store = FaultyStore()
        try await TestServer(store: store).script { client in
            store.state.withLock {
                $0.commitFaults = [.refuse(StoreError(wanted.code, "/secret/path failed", reason: wanted.reason))]
            }
            let answer = try client.ask("PUT", "/v1/default/entries/a", body: #"{"value":1}"#)
            #expect(answer.status == wanted.status)
            #expect(answer["content-type"] == "application/problem+json")
            let problem = try ProblemDetails(json: answer.body)
            #expect(problem.type == "urn:livery:problem:\(wanted.problem)")
            if let reason = wanted.reason { #expect(problem.detail == reason.sentence) }
            #expect((answer["retry-after"] != nil) == wanted.retries)
            #expect(wanted.code == .tooLarge || !answer.text.contains("/secret/path"))
            #expect(try client.ask("GET", "/v1/default/config").status == 200)
            #expect(try client.ask("PUT", "/v1/default/entries/a", body: #"{"value":2}"#).status == 201)
        }
    }

    @Test(arguments: [StoreError.Reason.starting, .busy, .permission, .damaged])
    func readinessShowsTheCauseWithoutDetails(reason: StoreError.Reason) throws {
        let error = StoreError(.unavailable, "/secret/path failed", reason: reason)
        let problem = Problem(readiness: error, age: 0)
        #expect(problem.detail == reason.sentence && problem.status == .serviceUnavailable)
        #expect((problem.code == "not-ready") == (reason == .starting))
        #expect(Problem(readiness: StoreError(.full, "", reason: .quota), age: 0).status == .insufficientStorage)
    }

    @Test func anUncertainWriteIsAuditedAsUncertain() async throws {
        let (store, log) = (FaultyStore(), InMemoryLogHandler())
        try await TestServer(store: store, logger: Logger(label: "test") { _ in log }).script { client in
            for (method, target, body) in [
                ("PUT", "/v1/default/entries/a", #"{"value":1}"#),
                ("PATCH", "/v1/default/entries", #"{"set":{"b":1},"unset":["a"]}"#),
                ("DELETE", "/v1/default/entries/b", nil), ("POST", "/config", #"{"key":"c","value":"1"}"#),
                ("POST", "/v1/default/rollback", #"{"to":1}"#),
            ] {
                store.state.withLock { $0.commitFaults = [.loseAnswer] }
                let answer = try client.ask(method, target, body: body)
                #expect(answer.status == 503 && answer.text.contains("write-uncertain"), "\(method) \(target)")
            }
        }
        let audit = log.entries.filter { $0.message == "audit" }
        #expect(audit.map { $0.metadata["action"] } == ["put", "patch", "delete", "insert", "rollback"])
        #expect(audit.map { $0.metadata["keys"] } == ["a", "a,b", "b", "c", ""])
        #expect(audit.allSatisfy { $0.metadata["outcome"] == "uncertain" && $0.metadata["revision"] == nil })
        let failures = log.entries.filter { $0.level == .error }
        #expect(failures.count == 5)
        #expect(failures.allSatisfy { $0.message.description.hasPrefix("result of a write unknown") })
    }

    @Test func quotaRefusalsAre507WithTheLimit() async throws {
        var limits = NamespaceHub.Limits()
        limits.quotas.bytes = 100
        try await TestServer(limits: limits).script { client in
            #expect(try client.ask("PUT", "/v1/shop/entries/a", body: #"{"value":1}"#).status == 201)
            let body = "{\"set\":{\"b\":\"\(String(repeating: "x", count: 100))\"}}"
            for (method, target, body) in [
                ("PATCH", "/v1/shop/entries", body),
                ("PUT", "/v1/shop/entries/b", "{\"value\":\"\(String(repeating: "x", count: 100))\"}"),
            ] {
                let answer = try client.ask(method, target, body: body)
                #expect(answer.status == 507)
                let problem = try ProblemDetails(json: answer.body)
                #expect(problem.type == "urn:livery:problem:quota-exceeded")
                #expect(problem.detail.contains("exceeded: 113 bytes, limit 100"), "\(problem.detail)")
            }
            for target in [
                "config", "config?epoch=0000000000000000&after=1", "entries", "history", "events",
            ] {
                let connection = try client.connection()
                connection.send(WireClient.request("GET", "/v1/shop/\(target)"))
                let answer = try connection.response()
                let announced = answer["livery-max-size"].flatMap { Int($0) } ?? 0
                #expect(answer.status == 200 && announced >= max(1124, answer.body.count), "\(target)")
            }
            #expect(try client.ask("GET", "/v1").text.contains("shop"))
            #expect(try client.ask("DELETE", "/v1/shop/entries/a").status == 204)
            #expect(try !client.ask("GET", "/v1").text.contains("shop"))
            #expect(try client.ask("GET", "/v1/shop/history").text.contains("\"value\":1"))
        }
    }
}
