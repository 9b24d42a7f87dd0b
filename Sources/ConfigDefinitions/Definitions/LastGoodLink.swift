// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import Observing
internal import Synchronization

/// A link that keeps its last good value while the value that it finds is unusable.
final class LastGoodLink<Value: Equatable & Sendable>: WrappingLink {
    let link: any ConfigLink<Value>
    /// Requests of users leave the program's values alone.
    private let ofProgram = Mutex(Memories(limit: 1))
    private let ofCalls = Mutex(Memories(limit: 64))
    private let lastReading = Atomic(0)

    /// The last good values in the evaluation contexts that were read last.
    private struct Memories {
        let limit: Int
        private var known: [ExactString?: (value: Value?, reading: Int)] = [:]

        init(limit: Int) { self.limit = limit }

        subscript(context: String?) -> Value? { known[context.map { ExactString($0) }]?.value }

        /// Remembers the result of a reading, unless one that began later has ended earlier.
        mutating func remember(_ value: Value?, of reading: Int, in context: String?) {
            let context = context.map { ExactString($0) }
            guard reading > known[context]?.reading ?? 0 else { return }
            known[context] = (value, reading)
            guard known.count > limit else { return }
            if let oldest = known.min(by: { $0.value.reading < $1.value.reading }) { known[oldest.key] = nil }
        }
    }

    init(_ link: any ConfigLink<Value>) { self.link = link }

    /// The same link with limits to good values, and with separate memory: values outside the limit must not be remembered.
    func limited(by limit: ValueLimit<Value>) -> any ConfigLink<Value> { LastGoodLink(link.limited(by: limit)) }

    func answer(from inputs: LinkInputs) throws(ConfigError) -> Override<Value> {
        let reading = lastReading.add(1, ordering: .relaxed).newValue
        // Before the value: if the context changes in between, no later context has this text.
        let context = link.context(in: inputs)?.text
        do throws(ConfigError) {
            let answer = try link.answer(from: inputs)
            if case .value(let value) = answer {
                remember(value, of: reading, in: context)
                return answer
            }
        } catch {
            if case .value(let value) = remembered(in: context) { return .value(value) }
            throw error
        }
        // Without a last good value, an unusable value and a missing one give the same answer, and telling them apart is slow.
        guard case .value = remembered(in: context) else { return .noOverride }
        return missing(in: inputs.readingOnce(), reading, context)
    }

    /// The answer where the link has found nothing: it is read again together with the reason, at one moment.
    private func missing(
        in snapshot: LinkInputs,
        _ reading: Int,
        _ context: String?
    ) -> Override<Value> {
        let answer: Override<Value>
        do throws(ConfigError) {
            answer = try link.answer(from: snapshot)
        } catch {
            return remembered(in: context)
        }
        if case .value(let value) = answer {
            remember(value, of: reading, in: context)
        } else if link.problem(in: snapshot) != nil {
            return remembered(in: context)
        } else {
            remember(nil, of: reading, in: context)
        }
        return answer
    }

    func problem(in inputs: LinkInputs) -> ConfigError? {
        let inputs = inputs.readingOnce()
        switch link.result(from: inputs) {
        case .success(.value): return nil
        case .success(.noOverride): return link.problem(in: inputs)
        case .failure(let error): return error
        }
    }

    func changes(in inputs: LinkInputs) -> [ChangeSignal] {
        link.changes(in: inputs) + [link.context(in: inputs)?.changes].compactMap(\.self)
    }

    private func remembered(in context: String?) -> Override<Value> { Override(withMemories { $0[context] }) }

    private func remember(_ value: Value?, of reading: Int, in context: String?) {
        withMemories { $0.remember(value, of: reading, in: context) }
    }

    private func withMemories<Found: Sendable>(_ body: (inout Memories) -> Found) -> Found {
        if EvaluationContext.current == nil { ofProgram.withLock { body(&$0) } } else { ofCalls.withLock { body(&$0) } }
    }
}

extension ConfigDefinition {
    /// Keeps the last good value of the link that was added before this one, while what that link finds cannot be used.
    ///
    /// With `.remote("app.background.color").lastGood()` the colour stays as it was when someone publishes `"bleu"`,
    /// unless a layer below has a colour, such as a bundled default. A key that is removed has no last good value.
    /// Values are remembered when they are read, as a ``ConfigRepository`` does after each change, and until the
    /// program ends.
    ///
    /// In another evaluation context (`RemoteConfigService.setContext(_:)`) there is no last good value: a value of one
    /// user is not shown to another. Each context of a call (`EvaluationContext.current`) has its own last good value, of the
    /// 64 that were read last.
    ///
    /// The memory belongs to the definition and its copies: use them with one ``ConfigRepository``.
    public func lastGood() -> ConfigDefinition {
        replacingLastLink { LastGoodLink($0) }
    }
}
