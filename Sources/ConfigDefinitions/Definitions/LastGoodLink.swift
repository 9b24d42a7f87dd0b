// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Observing
internal import Synchronization

/// A link that keeps its last good value for as long as what it finds cannot be used.
final class LastGoodLink<Value: Equatable & Sendable>: ConfigLink {
    private let link: any ConfigLink<Value>
    private let memory = Mutex(Memory())
    private let lastReading = Atomic(0)

    /// The last good value, and the number of the reading that found it.
    private struct Memory {
        var value: Value?
        var reading = 0
    }

    init(_ link: any ConfigLink<Value>) { self.link = link }

    var name: String { link.name }

    var remoteKey: String? { link.remoteKey }

    /// The same with limits to what is good, and with a memory of its own.
    func limited(by limit: ValueLimit<Value>) -> LastGoodLink { LastGoodLink(link.limited(by: limit)) }

    func answer(from sources: ConfigSources) throws(ConfigError) -> Override<Value> {
        let reading = lastReading.add(1, ordering: .relaxed).newValue
        // Read once: what is good now may not be a moment later.
        do throws(ConfigError) {
            let answer = try link.answer(from: sources)
            switch answer {
            case .value(let value): remember(value, of: reading)
            case .none:
                // Without a last good value, an unusable value and a missing one give the same answer, and telling them apart is slow.
                guard case .value = remembered else { return answer }
                if link.problem(in: sources) != nil { return remembered }
                remember(nil, of: reading)
            }
            return answer
        } catch {
            if case .value(let value) = remembered { return .value(value) }
            throw error
        }
    }

    func problem(in sources: ConfigSources) -> ConfigError? {
        do throws(ConfigError) {
            if case .value = try link.answer(from: sources) { return nil }
            return link.problem(in: sources)
        } catch {
            return error
        }
    }

    func changes(in sources: ConfigSources) -> [ChangeSignal] { link.changes(in: sources) }

    func join(_ definition: ConfigDefinition<Value>, at index: Int, in sources: ConfigSources) {
        link.join(definition, at: index, in: sources)
    }

    private var remembered: Override<Value> { Override(memory.withLock(\.value)) }

    /// Remembers what a reading found, unless one that began later has been faster.
    private func remember(_ value: Value?, of reading: Int) {
        memory.withLock { memory in
            if reading > memory.reading { memory = Memory(value: value, reading: reading) }
        }
    }
}

extension ConfigDefinition {
    /// Keeps the last good value of the link that was added before this one, while what that link finds cannot be used.
    ///
    /// With `.remote("app.background.color").lastGood()` the colour stays as it was when someone publishes `"bleu"`. A key that
    /// is removed has no last good value. Values are remembered when they are read, as a ``ConfigRepository`` does after each
    /// change, and until the program ends.
    ///
    /// A link does not know the evaluation context: after `SyncService.setContext(_:)` the value of the former context stays
    /// while that of the new one cannot be used. Omit `lastGood()` where a value of one user must not be shown to another.
    ///
    /// The memory belongs to the definition and its copies: use them with one ``ConfigSources``.
    public func lastGood() -> ConfigDefinition {
        replacingLastLink { LastGoodLink($0) }
    }
}
