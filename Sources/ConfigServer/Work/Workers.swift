// SPDX-License-Identifier: Apache-2.0

internal import NIOCore

/// Does long work away from the event loops and from the threads that tasks share; work of one kind does not wait for another.
struct Workers: Sendable {
    private let parsing = WorkQueue("parsing")
    private let encoding = WorkQueue("encoding")
    private let compression = WorkQueue("compression")
    private let evaluation = WorkQueue("evaluation")
    /// Compresses a body; `nil` if that does not pay.
    let compress: @Sendable (ByteBuffer) -> ByteBuffer?

    /// Bodies of up to so many bytes are parsed in place.
    static let shortBytes = 64 * 1024

    init(compress: @escaping @Sendable (ByteBuffer) -> ByteBuffer?) {
        self.compress = compress
    }

    func parsed<Value: Sendable, Failure: Error>(
        _ body: [UInt8],
        _ parse: @escaping @Sendable ([UInt8]) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        if body.count <= Self.shortBytes { return try parse(body) }
        return try await parsing.run { () throws(Failure) in try parse(body) }
    }

    func encoded<Value: Sendable>(_ state: NamespaceState, _ make: @escaping @Sendable () -> Value) async -> Value {
        state.isShort ? make() : await encoding.run(make)
    }

    /// Makes what may take as long as the rules of a state do.
    func evaluated<Value: Sendable>(_ state: NamespaceState, _ make: @escaping @Sendable () -> Value) async -> Value {
        state.rules.isEmpty ? await encoded(state, make) : await evaluated(make)
    }

    func evaluated<Value: Sendable>(_ make: @escaping @Sendable () -> Value) async -> Value {
        await evaluation.run(make)
    }

    /// The answer to `GET /v1/{namespace}/config` in a form; `nil` if only the store has it.
    func reply(_ form: ConfigForm, _ state: NamespaceState, _ quotas: NamespaceQuotas) async -> Reply? {
        if case .snapshot(isGzip: true) = form, !state.isShort {
            _ = await encoded(state) { state.snapshotJSON }
            await state.compressSnapshot(on: compression, compress)
        }
        return await encoding.run { [compress] in form.reply(state, quotas, compress) }
    }
}
