// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
public import Configuration
internal import Observing

/// Provides a configuration that changes at run time to swift-configuration.
///
/// ```swift
/// let service = RemoteConfigService(source: try ServerSource(url: url))
/// let config = ConfigReader(providers: [
///     EnvironmentVariablesProvider(),
///     RemoteConfigProvider(service: service, secrets: ["*.password"]),
/// ])
/// let text = config.string(forKey: "app.fun_button.text", default: "Dogs are awesome!")
/// ```
///
/// A failing source is not an error here: the last good values stay, and a provider that threw would hide all providers after
/// it. ``ConfigState/current`` has the status of the source. Only a value of another type is an error, with its position.
///
/// A key is its components with dots in between; its context does not count. An integer is a `double` as well, `[]` is
/// an array of every type, and bytes are strings of Base64. swift-configuration has no objects: `config.value(forKey:as:)`
/// reads them, and every other `Codable` type. An object, or an array that no getter of arrays reads, is a string of
/// JSON; as bytes, any other value is its JSON. A key that has only others below it is no string, so the next provider
/// counts.
public struct RemoteConfigProvider: Sendable {
    /// `RemoteConfigProvider` with the source's name.
    public let providerName: String
    private let state: ConfigState
    private var service: RemoteConfigService?
    private let secrets: SecretKeys

    /// Creates a provider for the state of a service that its owner runs; `fetch…` reads the source first.
    ///
    /// - Parameters:
    ///   - service: what follows the source.
    ///   - secrets: the keys whose values must not be logged, by patterns such as `*.password`, in which `*` matches any
    ///     characters, dots included, or none. All keys below a secret one are secret, and so is an object that has a secret
    ///     member.
    public init(service: RemoteConfigService, secrets: [String] = []) {
        self.init(state: service.state, secrets: secrets)
        self.service = service
    }

    /// Creates a provider for a state; `fetch…` returns the current values.
    ///
    /// - Parameters:
    ///   - state: the state that is provided.
    ///   - secrets: the keys whose values must not be logged, by patterns as of a service.
    public init(state: ConfigState, secrets: [String] = []) {
        (self.state, self.secrets) = (state, SecretKeys(secrets))
        providerName = "RemoteConfigProvider[\(state.current.status.source)]"
    }
}

extension RemoteConfigProvider: ConfigProvider {
    /// The value of a key now.
    ///
    /// - Throws: `ConfigModel.ConfigError` with the code `typeMismatch` if the value is of another type.
    public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        let name = key.dotted
        // A text or a number is read on its own.
        if let entry = state.plainEntry(forKey: name), let content = entry.value.content(as: type) {
            let isSecret = secrets.isSecret(entry.value, ofKey: name)
            return LookupResult(encodedKey: name, value: ConfigValue(content, isSecret: isSecret))
        }
        let result = try secrets.result(in: state.snapshot(below: name), forKey: name, type: type)
        if result.value == nil { service?.engine.publisher.valueIsMissing() }
        return result
    }

    /// The value of a key after the source has been read; the one from before if the source cannot be read.
    ///
    /// If changes are staged (``ActivationPolicy``), it is the current value. Fetching several keys causes one request instead
    /// of one each: anything read over a network within the last second is recent enough.
    ///
    /// - Throws: `ConfigModel.ConfigError` with the code `typeMismatch` if the value is of another type.
    public func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
        await service?.refreshIfStale()
        return try value(forKey: key, type: type)
    }

    /// Hands over the value of a key now and each different one that follows it.
    ///
    /// In a task with a context (`EvaluationContext.current`), they are the values for that context. A slow reader skips
    /// values but always gets the newest. The sequence ends as that of ``ConfigState/observe()`` does.
    public func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey,
        type: ConfigType,
        updatesHandler: (
            _ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>
        ) async throws -> Return
    ) async throws -> Return {
        let (name, state, secrets) = (key.dotted, state, secrets)
        let (request, context) = (JSONRequest.current, EvaluationContext.current)
        let updates = DistinctUpdates(read: {
            JSONRequest.with(request) {
                let current = state.current.snapshot(below: name, for: context)
                let found = Result { () throws(ConfigError) in
                    try secrets.result(in: current, forKey: name, type: type)
                }
                let parts =
                    request?.purpose == .allLayers
                    ? ValueParts(of: name, below: current.keys(below: name), in: current.snapshot).parts : []
                return (part: WatchedResult(found: found, parts: parts), element: found.mapError { $0 as any Error })
            }
        }) { hint in
            [state.observeValues(around: name, in: context, hint)]
        }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(updates))
    }

    /// All values as they are now; they stay so.
    public func snapshot() -> any ConfigSnapshot {
        RemoteConfigProviderSnapshot(providerName: providerName, current: state.snapshot(below: ""), secrets: secrets)
    }

    /// Hands over all values as they are now, and then again whenever one of them has changed.
    ///
    /// In a task with a context, they are the values for that context. A slow reader skips states but always gets the newest.
    /// The sequence ends as that of ``ConfigState/observe()`` does.
    public func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (
            _ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>
        ) async throws -> Return
    ) async throws -> Return {
        let (providerName, secrets, context) = (providerName, secrets, EvaluationContext.current)
        let (state, watchesLayers) = (state, JSONRequest.current?.purpose == .allLayers)
        let updates = DistinctUpdates(read: {
            let current = state.current
            let values = current.snapshot(below: "", for: context)
            let snapshot = RemoteConfigProviderSnapshot(providerName: providerName, current: values, secrets: secrets)
            // Definitions are read for any context.
            let mark = SnapshotMark(current, watchesLayers ? current.momentCount : 0, in: context)
            return (part: mark, element: snapshot as any ConfigSnapshot)
        }) { hint in
            [
                state.observed.observe {
                    let isSame = $0.momentCount == $1.momentCount && $0.context == $1.context
                    if !isSame || $0.snapshot.revision != $1.snapshot.revision { hint() }
                }
            ]
        }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(updates))
    }
}

extension RemoteConfigProvider: CustomStringConvertible {
    /// The name and the number of values, without any of them.
    public var description: String { "\(providerName)(\(state.current.snapshot.entries.count) values)" }
}

/// The part of a state that all values in a context depend on.
private struct SnapshotMark: Equatable {
    private let revision: UInt64?
    private let momentCount: Int
    private let ofContext: ContextMark?
    /// The values of rules that read the time, in the context.
    private let timed: [EntryValue?]

    init(_ current: ConfigState.Snapshot, _ momentCount: Int, in context: EvaluationContext?) {
        self.momentCount = momentCount
        guard current.dependsOnContext, let context else {
            (revision, ofContext, timed) = (current.snapshot.revision, nil, [])
            return
        }
        (revision, ofContext) = (nil, ContextMark(of: current, in: context))
        timed = current.timedValues(for: context)
    }
}

/// The part of a state by which the states of a watched key differ.
private struct WatchedResult: Equatable, Sendable {
    let found: Result<LookupResult, ConfigError>
    let parts: [ValueParts.Part]
}

/// All values of a provider at one moment.
private struct RemoteConfigProviderSnapshot: ConfigSnapshot {
    let providerName: String
    let current: ConfigState.Snapshot
    let secrets: SecretKeys

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        let name = key.dotted
        guard JSONRequest.current?.purpose == .context else {
            return try secrets.result(in: current, forKey: name, type: type)
        }
        let text = current.context.map { JSONRequest.answer(.object($0.members)) }
        // The user must not appear in a log.
        return LookupResult(encodedKey: name, value: text.map { ConfigValue(.string($0), isSecret: true) })
    }
}

extension ConfigState {
    /// The entry of a key, if it is not an object, and is right for every context and every reader.
    fileprivate func plainEntry(forKey key: String) -> ConfigEntry? {
        let (entry, dependsOnContext) = observed.read { ($0.snapshot.entries[key], $0.dependsOnContext) }
        guard let entry, !entry.value.isObject, JSONRequest.current == nil else { return nil }
        return dependsOnContext && (exposureLog.isOn || EvaluationContext.current != nil) ? nil : entry
    }
}

extension SecretKeys {
    /// The value of a key, or of the keys below it, as a type. Of several layers, the topmost that has one of the type counts.
    ///
    /// - Throws: `typeMismatch`, with the kind of a value and never the value itself, which may be a secret. It is reported, since
    ///   the getters of swift-configuration that have a default pass over it.
    fileprivate func result(
        in current: ConfigState.Snapshot,
        forKey key: String,
        type: ConfigType
    ) throws(ConfigError) -> LookupResult {
        let entry = current.snapshot.entries[key]
        if entry == nil { current.reportIfInvalid(key) }
        guard entry != nil || type.readsBranches else { return LookupResult(encodedKey: key, value: nil) }
        let request = JSONRequest.current
        func found(exposes: Bool, _ check: (EntryValue) throws -> Void) throws(ConfigError) -> ConfigValue? {
            // Whether the topmost value can be read is the question.
            let isRead = entry.map { (try? check($0.value)) != nil && $0.value.content(as: type) != nil } ?? false
            let isHidden = isRead || current.snapshot.layers.count == 1
            let readsBranches = entry?.value.isObject ?? true || !isHidden || request?.readsBranches == true
            let isExposed = exposes && !JSONRequest.isProbe
            return try current.valueOfParts(forKey: key, readsBranches, exposes: isExposed) { value, source in
                if entry == nil, !value.isObject, request == nil { return ConfigValue?.none }
                do {
                    try check(value)
                } catch {
                    // The message may contain the value.
                    let problem = "the value is of another type than the program reads, or outside its limits"
                    throw CodingFault(problem, at: CodingFault(error).path)
                }
                guard let content = value.content(as: type) else {
                    let problem = "cannot read the value as \(type.spokenName): it is of type \(value.kindName)"
                    throw CodingFault(problem)
                }
                request?.note(origin: source)
                return ConfigValue(content, isSecret: isSecret(value, ofKey: key))
            }.flatMap(\.self)
        }
        if let request {
            do throws(ConfigError) {
                let isRead = request.purpose != .allLayers
                return LookupResult(encodedKey: key, value: try found(exposes: isRead, request.check))
            } catch {
                // The reader throws an error that knows no layers, or returns its default.
                current.report(error)
            }
        }
        do throws(ConfigError) {
            // The reader that made the request cannot use it.
            return LookupResult(encodedKey: key, value: try found(exposes: request == nil) { _ in })
        } catch {
            if !JSONRequest.isProbe { current.report(error) }
            throw error
        }
    }
}

extension AbsoluteConfigKey {
    /// The components with dots in between.
    fileprivate var dotted: String {
        if components.count == 1 { return components[0] }
        // This is most of the time that a lookup takes: the components are copied once, as bytes.
        let capacity = components.reduce(components.count) { $0 + $1.utf8.count }
        return String(unsafeUninitializedCapacity: capacity) { buffer in
            var end = 0
            for (index, component) in components.enumerated() {
                if index > 0 {
                    buffer.initializeElement(at: end, to: UInt8(ascii: "."))
                    end += 1
                }
                end = buffer[end...].initialize(fromContentsOf: component.utf8)
            }
            return end
        }
    }
}

extension EntryValue {
    /// The value as swift-configuration's type; `nil` if it is of another kind.
    ///
    /// JSON writes `3` for a decimal as well, and `[]` for arrays of every type. Bytes are in Base64, and values without a
    /// matching type are strings of JSON.
    fileprivate func content(as type: ConfigType) -> ConfigContent? {
        switch (type, self) {
        case (.string, .string(let text)) where JSONRequest.current == nil: .string(text)
        case (.int, _): Int(configValue: self).map { .int($0) }
        case (.double, _): Double(configValue: self).map { .double($0) }
        case (.bool, .boolean(let flag)): .bool(flag)
        case (.string, _) where JSONRequest.current != nil: .string(JSONRequest.answer(self))
        case (.string, .object) where !JSONRequest.wantsString: .string(canonicalJSON)
        case (.string, .array) where !isUniformArray && !JSONRequest.wantsString: .string(canonicalJSON)
        case (.bytes, .string(let text)): Self.bytes(text).map { .bytes($0) }
        case (.bytes, _): .bytes(Array(canonicalJSON.utf8))
        case (.stringArray, _): elements(as: String.self).map { .stringArray($0) }
        case (.intArray, _): elements(as: Int.self).map { .intArray($0) }
        case (.doubleArray, _): elements(as: Double.self).map { .doubleArray($0) }
        case (.boolArray, _): elements(as: Bool.self).map { .boolArray($0) }
        case (.byteChunkArray, _): elements(as: String.self).flatMap(Self.chunks).map { .byteChunkArray($0) }
        default: nil
        }
    }

    /// Whether a getter of arrays reads the array.
    private var isUniformArray: Bool {
        elements(as: String.self) != nil || elements(as: Double.self) != nil || elements(as: Bool.self) != nil
    }

    private static func bytes(_ text: String) -> [UInt8]? { ConfigBytesFromBase64StringDecoder().decode(text) }

    private static func chunks(_ texts: [String]) -> [[UInt8]]? {
        let chunks = texts.compactMap(bytes)
        return chunks.count == texts.count ? chunks : nil
    }
}

extension ConfigType {
    /// Whether the object of the keys below a key is read as the type.
    fileprivate var readsBranches: Bool {
        self == .bytes || self == .string && JSONRequest.current?.readsBranches == true
    }

    /// The name of the type in messages.
    fileprivate var spokenName: String {
        switch self {
        case .string: "string"
        case .int: "integer"
        case .double: "number"
        case .bool: "Boolean"
        case .bytes: "Base64 bytes"
        case .stringArray: "array of strings"
        case .intArray: "array of integers"
        case .doubleArray: "array of numbers"
        case .boolArray: "array of Booleans"
        case .byteChunkArray: "array of Base64 bytes"
        }
    }
}
