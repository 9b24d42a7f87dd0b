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
/// reads
/// them, and every other `Codable` type. An object, or an array that no getter of arrays reads, is a string of JSON; what is no
/// string is as bytes its JSON. A key that has only others below it is no string, so the next provider counts.
public struct RemoteConfigProvider: Sendable {
    /// `RemoteConfigProvider` with the source's name.
    public let providerName: String
    private let state: ConfigState
    private let service: RemoteConfigService?
    private let secrets: SecretKeys

    /// Creates a provider for the state of a service that its owner runs; `fetch…` reads the source first.
    ///
    /// - Parameters:
    ///   - service: what follows the source.
    ///   - secrets: the keys whose values must not be logged, by patterns such as `*.password`, in which `*` matches any
    ///     characters, dots included, or none. All keys below a secret one are secret, and so is an object that has a secret
    ///     member.
    public init(service: RemoteConfigService, secrets: [String] = []) {
        self.init(service.state, service, SecretKeys(secrets))
    }

    /// Creates a provider for a state; `fetch…` returns the current values.
    ///
    /// - Parameters:
    ///   - state: the state that is provided.
    ///   - secrets: the keys whose values must not be logged, by patterns as of a service.
    public init(state: ConfigState, secrets: [String] = []) {
        self.init(state, nil, SecretKeys(secrets))
    }

    private init(_ state: ConfigState, _ service: RemoteConfigService?, _ secrets: SecretKeys) {
        (self.state, self.service, self.secrets) = (state, service, secrets)
        providerName = "RemoteConfigProvider[\(state.current.status.source)]"
    }
}

extension RemoteConfigProvider: ConfigProvider {
    /// The value of a key now.
    ///
    /// - Throws: `ConfigModel.ConfigError` with the code `typeMismatch` if the value is of another type.
    public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        let name = key.dotted
        JSONRequest.current?.reportErrors { [state] in state.snapshot(below: name).report($0) }
        do throws(ConfigError) {
            if let entry = state.entry(forKey: name), !type.canHaveBranch(entry) {
                return try secrets.result(entry, forKey: name, type: type)
            }
            let result =
                try type.isText
                ? secrets.result(of: state.snapshot(below: name), below: name, type: type) : .missing(name)
            if result.value == nil { service?.engine.publisher.valueIsMissing() }
            return result
        } catch {
            // The getters of swift-configuration that have a default pass over the error.
            state.snapshot(below: name).report(error)
            throw error
        }
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
    /// values but always gets the newest. The sequence ends when its task is cancelled.
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
                let result = Result<LookupResult, any Error> {
                    try secrets.result(in: current, forKey: name, type: type)
                }
                return (part: current.value(forKey: name, type: type), element: result)
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
    /// The sequence ends when its task is cancelled.
    public func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (
            _ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>
        ) async throws -> Return
    ) async throws -> Return {
        let (providerName, secrets, context) = (providerName, secrets, EvaluationContext.current)
        let mark = { @Sendable (current: ConfigState.Snapshot) in SnapshotMark(current, in: context) }
        let updates = state.observed.updates(of: mark) { current, _ -> any ConfigSnapshot in
            let current = current.snapshot(below: "", for: context)
            return RemoteConfigProviderSnapshot(providerName: providerName, current: current, secrets: secrets)
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
    private let revision: UInt64
    /// Retained, so that no other object has the same identity.
    private let others: OtherContexts?

    init(_ current: ConfigState.Snapshot, in context: EvaluationContext?) {
        revision = current.snapshot.revision
        others = context == nil ? nil : current.others.value
    }

    static func == (left: SnapshotMark, right: SnapshotMark) -> Bool {
        left.revision == right.revision && left.others === right.others
    }
}

/// All values of a provider at one moment.
private struct RemoteConfigProviderSnapshot: ConfigSnapshot {
    let providerName: String
    let current: ConfigState.Snapshot
    let secrets: SecretKeys

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        try secrets.result(in: current, forKey: key.dotted, type: type)
    }
}

extension ConfigState.Snapshot {
    /// The value on which the result for a key depends.
    fileprivate func value(forKey key: String, type: ConfigType) -> EntryValue? {
        if let entry = snapshot.entries[key], !type.canHaveBranch(entry) { return entry.value }
        // The result for the key has the error.
        return type.readsBranches ? (try? objectEntry(ofBranch: key))?.value : nil
    }
}

extension LookupResult {
    fileprivate static func missing(_ key: String) -> LookupResult { LookupResult(encodedKey: key, value: nil) }
}

extension SecretKeys {
    /// The value of a key, or of the keys below it, as a type.
    fileprivate func result(
        in current: ConfigState.Snapshot,
        forKey key: String,
        type: ConfigType
    ) throws(ConfigError) -> LookupResult {
        if let entry = current.entry(forKey: key), !type.canHaveBranch(entry) {
            return try result(entry, forKey: key, type: type)
        }
        return try type.isText ? result(of: current, below: key, type: type) : .missing(key)
    }

    /// The object of the keys below a key as a type.
    fileprivate func result(
        of current: ConfigState.Snapshot,
        below key: String,
        type: ConfigType
    ) throws(ConfigError) -> LookupResult {
        guard type.readsBranches, let entry = try current.objectEntry(ofBranch: key) else { return .missing(key) }
        return try result(entry, forKey: key, type: type)
    }

    /// An entry as a type.
    ///
    /// An error names the kind of a value and never the value itself, which may be a secret.
    fileprivate func result(
        _ entry: ConfigEntry,
        forKey key: String,
        type: ConfigType
    ) throws(ConfigError) -> LookupResult {
        JSONRequest.current?.note(origin: entry.source)
        guard let content = entry.value.content(as: type) else {
            let message = "cannot read the value as \(type.spokenName): it is of type \(entry.value.kindName)"
            throw ConfigError(.typeMismatch, message, source: entry.source, location: entry.location, key: key)
        }
        return LookupResult(encodedKey: key, value: ConfigValue(content, isSecret: isSecret(entry.value, ofKey: key)))
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
        case (.int, .integer(let number)): .int(number)
        case (.double, .double(let number)): .double(number)
        case (.double, .integer(let number)): .double(Double(number))
        case (.bool, .boolean(let flag)): .bool(flag)
        case (.string, _) where JSONRequest.current != nil: .string(JSONRequest.answer(self))
        case (.string, .object): .string(canonicalJSON)
        case (.string, .array) where !isUniformArray: .string(canonicalJSON)
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
    /// Whether JSON can be of the type.
    fileprivate var isText: Bool { self == .string || self == .bytes }

    /// Whether the object of the keys below a key is read as the type.
    fileprivate var readsBranches: Bool { self == .bytes || self == .string && JSONRequest.current != nil }

    /// Whether an entry is an object, of which keys below its key, or an object above, may have members too.
    fileprivate func canHaveBranch(_ entry: ConfigEntry) -> Bool { entry.value.isObject && readsBranches }

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
