// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Foundation
import Observing
import RemoteConfig
import RemoteConfigTesting
import TestSupport

/// A random course of one program, whose values are read in all ways after each step, and compared with a model.
///
/// The model is ``ModelView``: what the layers have for a user at a time, whichever steps have led there.
final class AgreementCourse {
    private var random: SeededGenerator
    private let clock = TestClock()
    private let layers: [ModelLayer]
    private let shape: Int
    private let activation: ActivationPolicy
    private let cache: ConfigCache?
    private let folder: TemporaryDirectory
    private let isRunning: Bool
    private var bundled: ModelDocument?
    private var user: ModelUser?
    private var client: ModelClient
    private var run: Task<Void, Never>?
    private var isFromCache = false
    private var observers: [ModelObserver] = []
    private var step = 0
    private(set) var steps: [String] = []
    private(set) var features = ModelFeatures()
    /// The number of reads that were compared.
    private(set) var readCount = 0

    init(seed: UInt64) throws {
        folder = try TemporaryDirectory()
        var random = SeededGenerator(seed: seed)
        func chance(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
        shape = chance(3)
        let count = shape == 0 ? 1 : 2 + chance(2)
        layers = (0..<count).map { ModelLayer("layer\($0)", dependsOnContext: chance(5) == 0) }
        activation = [.immediate, .immediate, .onDemand, .nextLaunch][chance(4)]
        isRunning = chance(2) == 0
        if chance(2) == 0 {
            var cache = ConfigCache(app: "model", version: "1", folder: folder["cache"])
            cache.disk = ScriptedDisk(flushes: false) { _ in nil }
            self.cache = cache
        } else {
            cache = nil
        }
        bundled = Self.bundled(using: &random)
        user = chance(3) == 0 ? nil : ModelUser.all.randomElement(using: &random)
        self.random = random
        client = ModelClient(try Self.service(of: layers, shape, cache, bundled, user, activation, clock))
    }

    private static func bundled(using random: inout SeededGenerator) -> ModelDocument? {
        guard Int.random(in: 0..<3, using: &random) > 0 else { return nil }
        var document = ModelDocument.random(using: &random)
        if document.form == .server { document.form = .exact }
        return document
    }

    private static func service(
        of layers: [any ConfigSource],
        _ shape: Int,
        _ cache: ConfigCache?,
        _ bundled: ModelDocument?,
        _ user: ModelUser?,
        _ activation: ActivationPolicy,
        _ clock: TestClock
    ) throws -> RemoteConfigService {
        let defaults = try bundled?.document(named: "bundled default")
        func make(_ source: some ConfigSource) -> RemoteConfigService {
            RemoteConfigService(
                source: source,
                cache: cache,
                bundledDefault: defaults,
                context: user?.context,
                activation: activation,
                notificationCenter: nil,
                clock: clock
            )
        }
        switch shape {
        case 0: return make(layers[0])
        case 1: return make(LayeredSource(layers))
        default: return make(LayeredSource([LayeredSource(Array(layers.dropLast())), layers[layers.count - 1]]))
        }
    }
}

// The model.
extension AgreementCourse {
    private var now: Int { clock.date.seconds }

    /// The values for a user.
    ///
    /// - Parameter isOwn: Whether it is the program's own user, whose layers are there.
    private func view(for user: ModelUser?, isOwn: Bool) -> ModelView {
        let shown = layers.filter { isOwn || !$0.dependsOnContext }
        var all = shown.map { ($0.known.active ?? ModelDocument(), $0.name) }
        if let bundled { all.append((bundled, "bundled default")) }
        return ModelView(layers: all.map { $0.0.entries(for: user, at: now) }, names: all.map(\.1))
    }

    private func fetch() {
        let isStaged = activation != .immediate
        for layer in layers { layer.fetch(for: user, isStaged: isStaged) }
    }

    private var description: String {
        let shown = layers.map { layer in
            let known = layer.known
            let state = known.fetched == known.active ? "" : ", fetched \(known.fetched.map { "\($0)" } ?? "nothing")"
            return "  \(layer.name)\(layer.dependsOnContext ? " (personal)" : ""): "
                + (known.active.map { "\($0)" } ?? "nothing") + state
        }
        let head =
            "  \(user?.name ?? "nobody"), \(activation), \(isRunning ? "running" : "not running"), "
            + "\(cache == nil ? "no cache" : "cache"), shape \(shape), \(now - ModelDocument.start) s"
        return ([head] + shown + ["  bundled: \(bundled.map { "\($0)" } ?? "nothing")"]).joined(separator: "\n")
    }
}

// The steps.
extension AgreementCourse {
    private func chance(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    /// - Returns: The first difference, with the steps that led to it, if there is one.
    func run(_ count: Int, _ progress: Log<String>) async throws -> String? {
        for layer in layers { publish(in: layer) }
        await start()
        var fault: String?
        for number in 0..<count where fault == nil {
            progress.append(steps.last ?? "the start")
            if number > 0 { steps.append(try await takeStep()) }
            progress.append("the comparison after: \(steps.last ?? "the start")\n\(description)")
            fault = try await compare()
        }
        await stop()
        return fault.map { ([$0, description] + steps.suffix(25)).joined(separator: "\n") }
    }

    private func start() async {
        for layer in layers { layer.begin(for: user, hasCache: cache != nil) }
        isFromCache = layers.contains { $0.known.active != nil }
        if isRunning {
            let service = client.service
            let (beginning, continuation) = AsyncStream<Never>.makeStream()
            run = Task { await service.run { continuation.finish() } }
            for await _ in beginning {}
            await refresh()
        }
        observe()
    }

    private func stop() async {
        await client.service.pause()
        run?.cancel()
        await run?.value
        run = nil
    }

    private func refresh() async {
        _ = await client.service.refreshOutcome()
        fetch()
    }

    private func activate() async {
        await client.service.activate()
        for layer in layers { layer.change { $0.active = $0.fetched } }
    }

    private func publish(in layer: ModelLayer) {
        let users = layer.dependsOnContext ? ["", "ada", "bob", "eve"] : [""]
        for user in users where chance(2) == 0 || users.count == 1 {
            var document = layer.known.published[user] ?? .random(using: &random)
            for _ in 0...chance(2) { document.change(using: &random) }
            layer.change { state in
                state.published[user] = document
                state.revision += 1
            }
        }
    }

    private func takeStep() async throws -> String {
        switch chance(20) {
        case 0..<8:
            step = 0
            let layer = layers[chance(layers.count)]
            publish(in: layer)
            if !isRunning, chance(4) == 0 { return "publish \(layer.name) without a read" }
            await refresh()
            return "publish \(layer.name) \(layer.known.published[layer.user(user)].map { "\($0)" } ?? "nothing")"
        case 8..<12:
            step = 1
            let next = chance(4) == 0 ? nil : ModelUser.all.randomElement(using: &random)
            let wasActivated = [.source, .cache].contains(client.service.state.current.status.origin)
            await client.service.setContext(next?.context)
            if next != user {
                user = next
                for layer in layers where layer.dependsOnContext {
                    layer.begin(for: user, hasCache: cache != nil, wasActivated: wasActivated)
                }
            }
            // Which layers show the first values of a user while others are staged is left open.
            let isOpen = activation != .immediate && layers.contains { $0.dependsOnContext }
            if isRunning || isOpen { await refresh() }
            if isOpen { await activate() }
            return "user \(next?.name ?? "nobody")"
        case 12..<15:
            step = 2
            await activate()
            return "activate"
        case 15..<17:
            guard isRunning else { return try await restart() }
            step = 3
            let time = [5, 10, 20][chance(3)]
            clock.advance(by: .seconds(time))
            for _ in 0..<3 { _ = await client.service.context }
            return "\(time) s pass"
        case 17..<19: return try await restart()
        default:
            step = 5
            let layer = layers[chance(layers.count)]
            layer.change { $0.isFailing.toggle() }
            await refresh()
            return "\(layer.name) \(layer.known.isFailing ? "fails" : "is well")"
        }
    }

    private func restart() async throws -> String {
        step = 4
        await stop()
        bundled = chance(2) == 0 ? bundled : Self.bundled(using: &random)
        if chance(3) == 0 { user = ModelUser.all.randomElement(using: &random) }
        client = ModelClient(try Self.service(of: layers, shape, cache, bundled, user, activation, clock))
        await start()
        return "restart as \(user?.name ?? "nobody")"
    }

    private func observe() {
        let state = client.service.state
        observers = []
        for _ in 0..<2 {
            let key = (ModelDocument.keys + [""]).randomElement(using: &random) ?? "k"
            switch chance(5) {
            case 0: observers.append(ModelValueObserver(key, state.observe(key, as: Int.self)))
            case 1: observers.append(ModelValueObserver(key, state.observe(key, as: String.self)))
            case 2: observers.append(ModelValueObserver(key, state.observe(key, as: ModelPair.self)))
            case 3: observers.append(ModelValueObserver(key, state.observe(key, as: [String: Int].self)))
            default: observers.append(ModelValueObserver(key, state.observe(key, as: ModelAny.self)))
            }
        }
    }
}

// The comparison.
extension AgreementCourse {
    private static let keys = ModelDocument.keys + ["a.b.d", "z"]
    private static let tweaks: [EntryValue] = [
        "x", 1, 1.5, true, [1, 2], ["x"], ["b": 1, "c": 2], ["b": "x"], ["x": 1],
    ]
    private static let types = ModelFeatures.groups.first { $0.name == "type" }?.features ?? []

    private func compare() async throws -> String? {
        let state = client.service.state
        let own = view(for: user, isOwn: true)
        // All keys, as they are.
        if let fault = compareKeys(state.current, own, "the state") { return fault }
        if let fault = compareStatus() { return fault }
        for observer in observers {
            if let fault = await observer.check(own, state) { return fault }
            note(userMode: user == nil ? 0 : 1, type: 0, way: .observer)
        }
        for _ in 0..<6 { if let fault = try await compareRead() { return fault } }
        return chance(3) == 0 ? try await compareFresh(own) : nil
    }

    private func compareKeys(_ values: ConfigState.Snapshot, _ view: ModelView, _ name: String) -> String? {
        if values.keys != view.keys.sorted() { return "\(name) has the keys \(values.keys), not \(view.keys.sorted())" }
        for key in Self.keys {
            let (expected, actual) = (view.value(key), values[key])
            if expected.isUnspecified || expected.value == actual { continue }
            return "\(name): \(key) is \(actual as Any), not \(expected)"
        }
        return nil
    }

    private func compareStatus() -> String? {
        let status = client.service.state.current.status
        let isStaged = layers.contains { $0.known.fetched != $0.known.active }
        if activation == .immediate, status.hasStagedChanges, !isStaged {
            return "there are staged changes, but there is nothing new"
        }
        // The rule of a layer is evaluated where no layer above has a value.
        let problems = client.service.state.problems
        let view = view(for: user, isOwn: true)
        for (index, document) in shownDocuments.enumerated() where user != nil {
            for key in document.unreadableRules where !view.serves(key, above: index) {
                let count = problems.count {
                    $0.key == key && $0.source == view.names[index] && $0.code != .typeMismatch
                }
                if count != 1 {
                    return "the rule of \(key) in \(view.names[index]) is reported \(count) times: \(problems)"
                }
            }
        }
        return nil
    }

    /// What the layers and the bundled default have now.
    private var shownDocuments: [ModelDocument] {
        layers.map { $0.known.active ?? ModelDocument() } + (bundled.map { [$0] } ?? [])
    }

    /// A service that has started with the current contents.
    private func compareFresh(_ own: ModelView) async throws -> String? {
        let fixed = layers.map {
            FixedLayer(
                name: $0.name,
                dependsOnContext: $0.dependsOnContext,
                document: $0.known.active ?? ModelDocument()
            )
        }
        let service = try Self.service(of: fixed, shape, nil, bundled, user, .immediate, clock)
        _ = await service.refreshOutcome()
        if let fault = compareKeys(service.state.current, own, "a fresh service") { return fault }
        for key in Self.keys where !own.value(key).isUnspecified && service[key] != client.service[key] {
            return "a fresh service has \(key) = \(service[key] as Any), not \(client.service[key] as Any)"
        }
        return nil
    }

    private func note(userMode: Int, type: Int, tweak: Int = 0, way: ModelWay) {
        let active = layers.compactMap(\.known.active) + (bundled.map { [$0] } ?? [])
        let form = active.randomElement(using: &random)?.form ?? .plain
        let rules = active.flatMap(\.rules.values)
        let conditions = rules.compactMap(\.condition)
        var kinds = rules.isEmpty ? [0] : [1]
        if conditions.contains(where: { if case .reference = $0 { true } else { false } }) { kinds.append(2) }
        if conditions.contains(where: { if case .since = $0 { true } else { false } }) { kinds.append(3) }
        features.count([
            shape, bundled.map { $0.form == .plain ? 1 : 2 } ?? 0,
            ModelDocument.Form.allCases.firstIndex(of: form) ?? 0, kinds.randomElement(using: &random) ?? 0,
            layers.contains { $0.dependsOnContext } ? 1 : 0, userMode,
            activation == .immediate ? 0 : activation == .onDemand ? 1 : 2, isFromCache ? 1 : 0, isRunning ? 1 : 0,
            step, type, tweak, ModelWay.allCases.firstIndex(of: way) ?? 0,
        ])
        readCount += 1
    }

    /// Reads a random key in a random way as a random type for a random user.
    private func compareRead() async throws -> String? {
        let way = ModelWay.ofReads.randomElement(using: &random) ?? .service
        let first = way == .definition ? 1 : 0
        let type =
            way.isSubscript ? 0 : way.isGetter ? 1 + chance(6) : first + chance(Self.types.count - first)
        switch type {
        case 0: return try await compareRead(way, type, ModelAny.self)
        case 1: return try await compareRead(way, type, String.self)
        case 2: return try await compareRead(way, type, Int.self)
        case 3: return try await compareRead(way, type, Double.self)
        case 4: return try await compareRead(way, type, Bool.self)
        case 5: return try await compareRead(way, type, [Int].self)
        case 6: return try await compareRead(way, type, [String].self)
        case 7: return try await compareRead(way, type, [String: Int].self)
        default: return try await compareRead(way, type, ModelPair.self)
        }
    }

    private func compareRead<Value: ModelValue>(_ way: ModelWay, _ type: Int, _: Value.Type) async throws -> String? {
        // Another one than the program's, whose layers are there.
        let other = ModelUser.all.filter { $0 != user }.randomElement(using: &random)
        var userMode = way.isOfValues ? chance(5) : [0, 1, 4][chance(3)]
        if userMode < 2 { userMode = user == nil ? 0 : 1 }
        if userMode == 2, user == nil { userMode = 3 }
        let isOwn = userMode <= 2
        let view = view(for: isOwn ? user : other, isOwn: isOwn)
        let key = (Self.keys + (way.isOfReader ? [] : [""])).randomElement(using: &random) ?? "k"
        let tweak = way == .definition && chance(3) > 0 ? Self.tweaks.randomElement(using: &random) : nil
        let client = client
        let result: Result<Value?, any Error>
        do {
            switch userMode {
            case 2, 3:
                let state = client.service.state.current
                let context = userMode == 2 ? state.context : other?.context
                let values = context.map { client.service.values(for: $0) }
                result = .success(try await client.read(way, key, as: Value.self, from: values, tweak: tweak))
            case 4:
                let value = try await EvaluationContext.$current.withValue(other?.context) {
                    let values = client.service.snapshot(below: key)
                    return try await client.read(way, key, as: Value.self, from: values, tweak: tweak)
                }
                result = .success(value)
            default: result = .success(try await client.read(way, key, as: Value.self, from: nil, tweak: tweak))
            }
        } catch {
            result = .failure(error)
        }
        var (outcome, skipped) = expected(way, key, view, as: Value.self)
        let tweaked = if case .value(let value)? = tweak.map(Value.read) { value } else { Value?.none }
        if let tweaked { (outcome, skipped) = (.value(tweaked), nil) }
        if outcome.isUnspecified { return nil }
        note(userMode: userMode, type: type, tweak: tweak == nil ? 0 : tweaked == nil ? 2 : 1, way: way)
        let users = "\(ModelFeatures.groups[5].features[userMode]) \((isOwn ? user : other)?.name ?? "nobody")"
        let read = "\(way) of '\(key)' as \(Value.self) for \(users)"
        switch (result, outcome) {
        case (.success(let value), .value(let expected)):
            if value != expected { return "\(read) is \(value as Any), not \(expected)" }
        case (.success(let value), .missing):
            if value != (way.hasDefault ? Value.fallback : nil) { return "\(read) is \(value as Any), not missing" }
        case (.success(let value), .mismatch):
            let isRight = !way.isThrowing && value == (way.hasDefault ? Value.fallback : nil)
            if !isRight { return "\(read) is \(value as Any) where no layer has one of the type" }
        case (.failure(let error), .mismatch):
            if !way.isThrowing || (error as? ConfigModel.ConfigError)?.code != .typeMismatch {
                return "\(read) throws \(error)"
            }
        case (.failure(let error), _): return "\(read) throws \(error)"
        default: break
        }
        let isReported = way != .observeExpression && isOwn && !way.isSubscript && !way.isOfReader
        if isReported, let skipped, !way.isThrowing || outcome.value != nil {
            // One of each key, which another read may have reported first.
            let problems = client.service.state.problems
            if !problems.contains(where: { $0.code == .typeMismatch }) {
                return "\(read): no problem with a value of '\(skipped)' among \(problems)"
            }
        }
        return nil
    }

    /// The result of a way of reading.
    private func expected<Value: ModelValue>(_ way: ModelWay, _ key: String, _ view: ModelView, as _: Value.Type)
        -> (ModelOutcome<Value>, String?)
    {
        if way.isSubscript {
            switch view.value(key) {
            case .value(let value): return ((ModelAny(value: value) as? Value).map { .value($0) } ?? .unspecified, nil)
            case .missing: return (.missing, nil)
            case .mismatch: return (.mismatch, nil)
            case .unspecified: return (.unspecified, nil)
            }
        }
        // A getter of strings gives the JSON of an object, and of an array that no getter of arrays reads.
        guard way.isGetter else { return view.read(key, as: Value.self) }
        return view.read(key, needsKey: true) { value in
            let isMixed = value == ["x", 1]
            if value.isTree || isMixed, let text = value.canonicalJSON as? Value { return .value(text) }
            return Value.read(value)
        }
    }
}

extension EntryValue {
    fileprivate var isTree: Bool { members != nil }
}
