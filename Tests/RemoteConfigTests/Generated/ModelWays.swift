// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import ConfigRules
import Configuration
import Foundation
import Observing
import RemoteConfig

/// A way to read a value.
enum ModelWay: CaseIterable {
    case service, state, snapshot, serviceDefault, stateDefault, snapshotDefault, observable, observableDefault
    case remoteValue, observe, observeExpression, observer
    case reader, readerDefault, snapshotReader, fetch, getter, getterDefault, snapshotGetter
    case definition
    case subscriptOfService, subscriptOfState, subscriptOfSnapshot, subscriptOfObservable

    /// The ways of one read; observers are checked in another way.
    static let ofReads = allCases.filter { $0 != .observer }

    /// Whether an error is thrown; otherwise the value is missing, or a default counts.
    var isThrowing: Bool {
        switch self {
        case .service, .state, .snapshot, .observable, .reader, .snapshotReader, .fetch: true
        default: false
        }
    }

    var hasDefault: Bool {
        switch self {
        case .serviceDefault, .stateDefault, .snapshotDefault, .observableDefault, .remoteValue, .readerDefault,
            .getterDefault, .definition:
            true
        default: false
        }
    }

    /// Whether it is a getter of swift-configuration, which there is for some types.
    var isGetter: Bool { self == .getter || self == .getterDefault || self == .snapshotGetter }

    var isSubscript: Bool {
        switch self {
        case .subscriptOfService, .subscriptOfState, .subscriptOfSnapshot, .subscriptOfObservable: true
        default: false
        }
    }

    /// Whether it reads something that was made from the service for another user.
    var isOfValues: Bool { self == .snapshot || self == .snapshotDefault || self == .subscriptOfSnapshot }

    var isOfReader: Bool {
        isGetter || [.definition, .reader, .readerDefault, .snapshotReader, .fetch].contains(self)
    }
}

/// A client that is read in all ways.
struct ModelClient: Sendable {
    let service: RemoteConfigService
    let observable: ObservableConfig
    let reader: ConfigReader
    /// A reader of the state, which reads no source.
    let ofState: ConfigReader

    init(_ service: RemoteConfigService) {
        self.service = service
        observable = ObservableConfig(service.state)
        reader = ConfigReader(provider: RemoteConfigProvider(service: service))
        ofState = ConfigReader(provider: RemoteConfigProvider(state: service.state))
    }

    /// Reads a key.
    ///
    /// - Parameters:
    ///   - values: What is read in place of a snapshot.
    ///   - tweak: The override of a definition.
    func read<Value: ModelValue>(
        _ way: ModelWay,
        _ key: String,
        as type: Value.Type,
        from values: (any ValueReading)?,
        tweak: EntryValue?
    ) async throws -> Value? {
        let snapshot: any ValueReading = values ?? service.state.current.snapshot(below: key)
        let configKey = ConfigKey(key)
        switch way {
        case .service: return try service.value(forKey: key, as: type)
        case .state: return try service.state.value(forKey: key, as: type)
        case .snapshot: return try snapshot.value(forKey: key, as: type)
        case .serviceDefault: return service.value(forKey: key, default: Value.fallback)
        case .stateDefault: return service.state.value(forKey: key, default: Value.fallback)
        case .snapshotDefault: return snapshot.value(forKey: key, default: Value.fallback)
        case .observable: return try observable.value(forKey: key, as: type)
        case .observableDefault: return observable.value(forKey: key, default: Value.fallback)
        case .remoteValue: return RemoteValue(wrappedValue: Value.fallback, key, in: service.state).wrappedValue
        case .observe: return await first(of: service.observe(key, as: type))
        case .observeExpression:
            return await first(
                of: service.observe { snapshot -> Value? in
                    // Without a value of the type, the expression has none.
                    try? snapshot.value(forKey: key, as: type)
                }
            )
        case .reader: return try reader.value(forKey: configKey, as: type)
        case .readerDefault: return reader.value(forKey: configKey, default: Value.fallback)
        case .snapshotReader: return try reader.snapshot().value(forKey: configKey, as: type)
        case .fetch: return try await ofState.fetchValue(forKey: configKey, as: type)
        case .getter, .getterDefault, .snapshotGetter: return get(way, configKey, as: type)
        case .definition:
            let definition = ConfigDefinition(key, default: Value.fallback)
                .tweak(category: "c", section: "s", name: "n")
            let tweaks = TweakRepository(store: MemoryStore(tweak.map { ["default/\(key)": $0] } ?? [:]))
            return definition.value(from: LinkInputs(remote: ObservedReader(reader), tweaks: tweaks))
        case .subscriptOfService: return service[key].map { ModelAny(value: $0) } as? Value
        case .subscriptOfState: return service.state[key].map { ModelAny(value: $0) } as? Value
        case .subscriptOfSnapshot: return snapshot[key].map { ModelAny(value: $0) } as? Value
        case .subscriptOfObservable: return observable[key].map { ModelAny(value: $0) } as? Value
        case .observer: return nil
        }
    }

    private func first<Value>(of values: some AsyncSequence<Value?, Never>) async -> Value? {
        for await value in values { return value }
        return nil
    }

    private func get<Value: ModelValue>(_ way: ModelWay, _ key: ConfigKey, as type: Value.Type) -> Value? {
        let snapshot = reader.snapshot()
        let fallback = Value.fallback
        let (isSnapshot, hasDefault) = (way == .snapshotGetter, way == .getterDefault)
        switch fallback {
        case let other as String:
            return
                (isSnapshot
                ? snapshot.string(forKey: key)
                : hasDefault ? reader.string(forKey: key, default: other) : reader.string(forKey: key)) as? Value
        case let other as Int:
            return
                (isSnapshot
                ? snapshot.int(forKey: key)
                : hasDefault ? reader.int(forKey: key, default: other) : reader.int(forKey: key)) as? Value
        case let other as Double:
            return
                (isSnapshot
                ? snapshot.double(forKey: key)
                : hasDefault ? reader.double(forKey: key, default: other) : reader.double(forKey: key)) as? Value
        case let other as Bool:
            return
                (isSnapshot
                ? snapshot.bool(forKey: key)
                : hasDefault ? reader.bool(forKey: key, default: other) : reader.bool(forKey: key)) as? Value
        case let other as [Int]:
            return
                (isSnapshot
                ? snapshot.intArray(forKey: key)
                : hasDefault ? reader.intArray(forKey: key, default: other) : reader.intArray(forKey: key)) as? Value
        case let other as [String]:
            return
                (isSnapshot
                ? snapshot.stringArray(forKey: key)
                : hasDefault
                    ? reader.stringArray(forKey: key, default: other) : reader.stringArray(forKey: key)) as? Value
        default: return nil
        }
    }
}

/// An observer of a key that lasts.
class ModelObserver {
    let key: String
    init(_ key: String) { self.key = key }
    /// - Returns: How what it yields differs from a view.
    func check(_ view: ModelView, _ state: ConfigState) async -> String? { nil }
}

final class ModelValueObserver<Value: ModelValue, Updates: AsyncSequence>: ModelObserver
where Updates.Element == Value?, Updates.Failure == Never {
    private let updates: Updates
    private var iterator: Updates.AsyncIterator?
    private var last: Value?

    init(_ key: String, _ updates: Updates) {
        self.updates = updates
        super.init(key)
    }

    override func check(_ view: ModelView, _ state: ConfigState) async -> String? {
        let outcome = view.read(key, as: Value.self).outcome
        if outcome.isUnspecified {
            // What it yields next is open.
            iterator = nil
            return nil
        }
        let expected = outcome.value
        // An observer reads so, and would wait for another value.
        let read = try? state.value(forKey: key, as: Value.self)
        if read != expected { return "state of '\(key)' as \(Value.self) is \(read as Any), not \(expected as Any)" }
        if iterator != nil, last == expected { return nil }
        var iterator = self.iterator ?? updates.makeAsyncIterator()
        let next = await iterator.next(isolation: #isolation) ?? nil
        (self.iterator, last) = (iterator, next)
        return next == expected
            ? nil : "an observer of \(key) as \(Value.self) yields \(next as Any), not \(expected as Any)"
    }
}
