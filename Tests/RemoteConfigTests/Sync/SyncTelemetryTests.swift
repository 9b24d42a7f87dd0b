// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Foundation
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import RemoteConfigTesting
import Synchronization
import TestSupport
import Testing
import Tracing

@testable import RemoteConfig

/// A source at an address with a secret, whose readings a test gives.
private final class AddressedSource: ConfigSource {
    let name = "https://user:secret@config.example.com:8443/secret/shop?token=secret"
    let delivery = SourceDelivery.polled(every: .seconds(30))
    let preview: String?
    private let result = Mutex(Result<SourceReading, ConfigError>.failure(ConfigError(.unreachable, "gone")))

    init(preview: String? = nil) { self.preview = preview }

    func answer(_ json: String, bytes: Int) throws {
        var reading = SourceReading(.document(try ConfigDocument(json: Array(json.utf8), source: "s")))
        reading.bytesReceived = bytes
        let answer = reading
        result.withLock { $0 = .success(answer) }
    }

    func fail(_ error: ConfigError) { result.withLock { $0 = .failure(error) } }

    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        try result.withLock(\.self).get()
    }
}

/// The telemetry of a service: metrics, spans and log lines, without secrets.
@Suite(.timeLimit(.minutes(5)))
struct SyncTelemetryTests {
    private let source = AddressedSource()
    private let clock = TestClock()
    private let metrics = TestMetrics()
    private let tracer = InMemoryTracer()
    private let log = InMemoryLogHandler()

    private func service(
        _ activation: ActivationPolicy = .immediate,
        of source: AddressedSource? = nil
    ) -> RemoteConfigService {
        var logger = Logger(label: "test") { [log] _ in log }
        logger.logLevel = .debug
        return RemoteConfigService(
            source: source ?? self.source,
            activation: activation,
            notificationCenter: NotificationCenter(),
            logger: logger,
            metricsFactory: metrics,
            tracer: tracer,
            clock: clock
        )
    }

    /// Refreshes again, later than the last time.
    @discardableResult
    private func refresh(_ service: RemoteConfigService) async -> RefreshOutcome {
        clock.advance(by: .seconds(2))
        return await service.refreshOutcome()
    }

    private func count(_ name: String, _ dimensions: [(String, String)] = []) -> Int64 {
        metrics.counterTotal(label: name, dimensions: [("source", "config.example.com:8443")] + dimensions)
    }

    private func gauge(_ name: String) throws -> Double? {
        try metrics.expectRecorder(name, [("source", "config.example.com:8443")]).lastValue
    }

    @Test func previewHasNoMetrics() async throws {
        let source = AddressedSource(preview: "k3x9m2ab")
        try source.answer("{}", bytes: 100)
        let service = service(of: source)
        await refresh(service)
        #expect(service.state.current.status.preview == "k3x9m2ab")
        #expect(metrics.counters.isEmpty && metrics.recorders.isEmpty && metrics.timers.isEmpty)
    }

    @Test func metricsCountEvents() async throws {
        let service = service()
        await refresh(service)
        await refresh(service)
        #expect(try gauge("livery_client_consecutive_failures") == 2)
        try source.answer(#"{"a":1}"#, bytes: 70)
        for _ in 0..<3 { await refresh(service) }
        try source.answer(#"{"a":2}"#, bytes: 7)
        await refresh(service)

        let fetches = ["changed", "unchanged", "failed", "staged"].map {
            count("livery_client_fetches_total", [("outcome", $0)])
        }
        #expect(fetches == [2, 2, 2, 0])
        #expect(count("livery_client_received_bytes_total") == 217)
        let timer = try metrics.expectTimer(
            "livery_client_fetch_duration_seconds",
            [("source", "config.example.com:8443")]
        )
        #expect(timer.values.count == 6)
        #expect(try gauge("livery_client_consecutive_failures") == 0)
        #expect(try gauge("livery_client_revision") == 2)
        let success = try #require(service.state.current.status.statistics.lastSuccessAt)
        #expect(try gauge("livery_client_last_success_timestamp_seconds") == Double(success.milliseconds) / 1000)
        #expect(metrics.counters(label: "livery_client_fetches_total").count == 4, "each instrument is made once")
    }

    @Test func theBytesOfAReadThatFailsAreCounted() async throws {
        let service = service()
        var error = ConfigError(.badResponse, "no document")
        error.bytesReceived = 30
        source.fail(error)
        for _ in 0..<2 { await refresh(service) }
        #expect(service.state.current.status.statistics.bytesReceived == 60)
        #expect(count("livery_client_received_bytes_total") == 60)
        let whole = RemoteConfigService(source: LayeredSource([source]), notificationCenter: NotificationCenter())
        _ = await whole.refreshOutcome()
        #expect(whole.state.current.status.problem == error.naming(source: source.name))
        #expect(whole.state.current.status.statistics.bytesReceived == 0, "they are counted for the layer")
    }

    @Test func theWholeAndEachLayerHaveSeparateMetrics() async throws {
        let inner = LayeredSource([TestSource(name: "inner")], name: "http://named.example.com")
        let layers: [any ConfigSource] = [TestSource(name: "upper"), source, inner, TestSource(name: "lower")]
        let whole = LayeredSource(layers, name: "http://config.example.com:8443/ over others")
        let service = RemoteConfigService(
            source: whole,
            notificationCenter: NotificationCenter(),
            metricsFactory: metrics,
            tracer: tracer
        )
        _ = await service.refreshOutcome()
        let sources = metrics.counters(label: "livery_client_resyncs_total").map { counter in
            counter.dimensions.first { $0.0 == "source" }?.1
        }
        #expect(
            sources.compactMap(\.self).sorted() == [
                "config.example.com:8443", "layers", "layers#3", "layers#3/local", "local#1", "local#4",
            ]
        )
        let spans = tracer.finishedSpans.filter { $0.attributes.text("server.address") != nil }
        #expect(spans.map { $0.attributes.text("livery.source") } == [source.name], "no other has an address")
    }

    @Test func readIsASpanOfItsCaller() async throws {
        let service = service()
        try source.answer(#"{"a":1}"#, bytes: 7)
        await tracer.withSpan("app") { _ in _ = await service.refreshOutcome() }
        var refusal = ConfigError(.forbidden, "no")
        refusal.source = "s"
        source.fail(refusal)
        await refresh(service)

        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["livery.fetch", "app", "livery.fetch"])
        #expect(spans[0].parentSpanID == spans[1].spanID)
        #expect(spans[0].kind == .client)
        #expect(spans[0].attributes.text("server.address") == "config.example.com")
        #expect(spans[0].attributes.get("server.port")?.toSpanAttribute() == .int64(8443))
        #expect(spans[0].attributes.text("livery.outcome") == "changed")
        #expect(spans[0].errors.isEmpty)
        #expect(spans[2].attributes.text("livery.outcome") == "failed")
        #expect(spans[2].attributes.text("error.type") == "forbidden")
        #expect(spans[2].status?.code == .error)
        #expect(spans[2].errors.map { $0.error as? ConfigError } == [refusal])
    }

    @Test func aLineOfTheLogIsAConstantWithMetadata() async throws {
        let service = service()
        await refresh(service)
        await refresh(service)
        let keys = (10..<40).map { "k\($0)" }
        try source.answer("{" + keys.map { "\"\($0)\":1" }.joined(separator: ",") + "}", bytes: 7)
        await refresh(service)

        #expect(
            log.entries.map { "\($0.level) \($0.message)" } == [
                "warning source error", "debug configuration changed",
                "info source recovered",
            ]
        )
        let problem = try #require(log.entries.first?.metadata)
        #expect(problem["error.code"] == "unreachable")
        #expect(problem["error.message"] == "gone")
        let change = log.entries[1].metadata
        #expect(change["revision"] == "1")
        #expect(change["keys.count"] == "30")
        #expect(change["keys"] == .array(keys.prefix(20).map { .string($0) }))
        #expect(change["epoch"] == nil, "there is no server")
    }

    @Test func aTypeMismatchIsLoggedWithoutTheValue() async throws {
        let service = service()
        try source.answer(#"{"color":"s3cret","size":4711}"#, bytes: 7)
        await refresh(service)
        #expect(service.value(forKey: "color", default: 1) == 1 && service.value(forKey: "size", default: "") == "")
        let lines = log.entries.filter { $0.message == "type mismatch of a value" }
        #expect(lines.count == 2)
        for (line, key) in zip(lines, ["color", "size"]) {
            let text = "\(line.metadata)"
            #expect(text.contains(key) && !text.contains("s3cret") && !text.contains("4711"), "\(text)")
        }
        #expect(service.state.problems.count == 2)
    }

    @Test func stagedChangesAreCountedWhenActivated() async throws {
        let service = service(.onDemand)
        try source.answer(#"{"a":1}"#, bytes: 7)
        await refresh(service)
        #expect(count("livery_client_fetches_total", [("outcome", "staged")]) == 1)
        #expect(log.entries.isEmpty)
        await service.activate()
        #expect(log.entries.map(\.message) == ["configuration changed"])
        #expect(try gauge("livery_client_revision") == 1)
    }
}

extension SpanAttributes {
    fileprivate func text(_ key: String) -> String? {
        if case .string(let text) = get(key)?.toSpanAttribute() { text } else { nil }
    }
}

// The counters of the status, which wake no observer.
extension RemoteConfigServiceServerTests {
    @Test func heartbeatIsCountedWithoutNotifying() async throws {
        server.publish { $0["a"] = .integer(1) }
        let service = makeService()
        try await service.whileRunning {
            try await phase(service, .streaming)
            let told = Log<SourceStatus>()
            let listening = Task {
                for await current in service.state.observe() { told.append(current.status) }
            }
            try await until("the state is told") { told.entries.count == 1 }
            let bytes = service.state.current.status.statistics.bytesReceived
            for beat in 1...20 {
                clock.advance(by: .seconds(5))
                server.beat()
                try await until("it is counted") {
                    service.state.current.status.statistics.bytesReceived == bytes + beat
                }
            }
            await service.setOffline(true)
            try await until("the next state is told") { told.entries.count > 1 }
            #expect(told.entries.map(\.isSetOffline) == [false, true], "and none in between")
            listening.cancel()
        }
    }

    @Test func theStatusCountsReconnectsResyncsAndFailures() async throws {
        server.publish { $0["a"] = .integer(1) }
        try await live { service in
            func statistics() -> SourceStatistics { service.state.current.status.statistics }
            #expect((statistics().reconnects, statistics().resyncs, statistics().consecutiveFailures) == (0, 0, 0))
            let first = try #require(statistics().lastSuccessAt)
            server.cut()
            try await clock.passing { try await until("it is opened anew") { statistics().reconnects == 1 } }
            server.send(.head(server.cursor, ConfigDigest([("lie", .integer(0))])))
            try await clock.passing { try await until("it is read instead") { statistics().resyncs == 1 } }
            try await phase(service, .streaming)
            server.fail { $0.reading = ConfigError(.unreachable, "gone") }
            await clock.passing {
                for _ in 0..<3 { _ = await service.refreshOutcome() }
                #expect(statistics().consecutiveFailures >= 3)
                server.fail { $0.reading = nil }
                _ = await service.refreshOutcome()
            }
            #expect(statistics().consecutiveFailures == 0)
            #expect(try #require(statistics().lastSuccessAt) >= first)
            #expect(statistics().fetches >= 5)
            try await phase(service, .streaming)
        }
    }
}
