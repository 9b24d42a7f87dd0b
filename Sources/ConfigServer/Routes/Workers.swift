// SPDX-License-Identifier: Apache-2.0

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

    /// Bodies of up to so many bytes are parsed in place.
    static let shortBytes = 64 * 1024

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

    func parsed<Value: Sendable>(
        _ body: [UInt8],
        for caller: Caller,
        _ parse: @escaping @Sendable ([UInt8]) throws -> Value
    ) async throws -> Value {
        if body.count <= Self.shortBytes { return try parse(body) }
        return try await parsing.run(for: caller) { try parse(body) }
    }

    func encoded<Value: Sendable>(
        _ state: NamespaceState,
        for caller: Caller,
        _ make: @escaping @Sendable () -> Value
    ) async throws -> Value {
        state.isShort ? make() : try await encoding.run(for: caller, make)
    }

    /// Does what may take as long as rules do.
    func evaluated<Work: SteppedWork>(_ work: Work, for caller: Caller) async throws -> Work.Value {
        try await evaluation.run(work, for: caller)
    }

    /// The answer to `GET /v1/{namespace}/config` in a form; `nil` if only the store has it.
    func reply(
        _ form: ConfigForm,
        _ state: NamespaceState,
        _ quotas: NamespaceQuotas,
        for caller: Caller
    ) async throws -> Reply? {
        if case .snapshot(isGzip: true) = form, !state.isShort, !state.hasTriedCompression {
            _ = try await encoded(state, for: caller) { state.snapshotJSON }
            try await compression.run(for: caller) { [compress] in state.compressSnapshot(compress) }
        }
        return try await encoding.run(for: caller) { [compress] in form.reply(state, quotas, compress) }
    }
}
