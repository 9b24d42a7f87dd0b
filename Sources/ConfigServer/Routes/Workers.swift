// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import Foundation
internal import NIOCore

/// Does long work away from the event loops and from the threads that tasks share; work of one kind does not wait for another,
/// and callers have their turns (``WorkPool``).
struct Workers: Sendable {
    private let parsing: WorkPool
    private let encoding: WorkPool
    private let compression: WorkPool
    private let evaluation: WorkPool
    /// Compresses a body; `nil` if that does not pay.
    let compress: @Sendable (ByteBuffer) -> ByteBuffer?

    /// Bodies up to this size are parsed in place, which takes about as long as a turn costs.
    static let shortBytes = 8 * 1024

    init(_ limits: ServerLimits, compress: @escaping @Sendable (ByteBuffer) -> ByteBuffer?) {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let patience = TimeAmount.seconds(Int64(limits.workSeconds))
        func pool(_ name: String, threads: Int) -> WorkPool { WorkPool(name, threads: threads, patience: patience) }
        parsing = pool("parse", threads: processors)
        // Some may wait for a form of a state that another one is making.
        encoding = pool("encode", threads: max(4, processors))
        compression = pool("compress", threads: 2)
        evaluation = pool("evaluate", threads: processors)
        self.compress = compress
    }

    /// The decoded body. It stays in memory until it is parsed, however long the write then waits for the store.
    func parsed<Value: Sendable>(
        _ body: RequestBody?,
        for caller: Caller,
        _ parse: @escaping @Sendable ([UInt8]) throws -> Value
    ) async throws -> Value {
        defer { body?.release() }
        guard let body, body.count > Self.shortBytes else { return try parse(body?.take() ?? []) }
        return try await parsing.run(for: caller) { try parse(body.take()) }
    }

    func encoded<Value: Sendable>(
        _ state: NamespaceState,
        for caller: Caller,
        _ make: @escaping @Sendable () -> Value
    ) async throws -> Value {
        state.isShort ? make() : try await encoding.run(for: caller, make)
    }

    /// Performs the work of a body, which may take as long as evaluations do. A long body is parsed and freed in turns as well.
    ///
    /// - Parameter parse: makes the work of the bytes of the body.
    func evaluated<Work: SteppedWork>(
        _ body: RequestBody?,
        for caller: Caller,
        _ parse: @escaping @Sendable ([UInt8]) throws -> Work
    ) async throws -> Work.Value {
        if let body, body.count > Self.shortBytes {
            return try await evaluation.run(ParsingWork { try parse(body.take()) }, for: caller)
        }
        return try await evaluation.run(try parse(body?.take() ?? []), for: caller)
    }

    /// The answer to `GET /v1/{namespace}/config` in a form; `nil` if only the store has it.
    func reply(
        _ form: ConfigForm,
        _ state: NamespaceState,
        _ quotas: NamespaceQuotas,
        for caller: Caller
    ) async throws -> Reply? {
        var pool = encoding
        if case .snapshot(isGzip: true) = form, !state.isShort, !state.hasSnapshot(isGzip: true) {
            _ = try await encoded(state, for: caller) { state.snapshotJSON }
            pool = compression
        }
        return try await pool.run(for: caller) { [compress] in form.reply(state, quotas, compress) }
    }
}

/// Work that its first step makes.
private struct ParsingWork<Work: SteppedWork>: SteppedWork {
    private let parse: @Sendable () throws -> Work
    private var work: Work?

    init(_ parse: @escaping @Sendable () throws -> Work) { self.parse = parse }

    mutating func step() throws -> Work.Value? {
        if work != nil { return try work?.step() }
        work = try parse()
        return nil
    }
}
