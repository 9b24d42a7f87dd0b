// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
public import Configuration
internal import Observing

/// Gives a configuration that changes while the program runs to swift-configuration.
///
/// ```swift
/// let service = SyncService(source: try ServerSource(url: url))
/// let config = ConfigReader(providers: [
///     EnvironmentVariablesProvider(),
///     RemoteConfigProvider(service: service, secrets: ["*.password"]),
/// ])
/// let text = config.string(forKey: "app.fun_button.text", default: "Dogs are awesome!")
/// ```
///
/// A source that fails is no error here: the last good values stay, and a provider that threw would silence all those
/// after it. ``ConfigState/current`` says how the source is. Only a value of another type is an error, with its place.
///
/// A key is its components with dots in between; its context does not count. An integer is a `double` as well, `[]` is
/// an array of every type, and bytes are strings of Base64.
public struct RemoteConfigProvider: Sendable {
    /// `RemoteConfigProvider` with the source's name.
    public let providerName: String
    private let state: ConfigState
    private let service: SyncService?
    private let secrets: SecretKeys

    /// Creates a provider of what a service keeps, which its owner runs; `fetch…` reads the source first.
    ///
    /// - Parameters:
    ///   - service: what follows the source.
    ///   - secrets: the keys whose values are not to be logged.
    public init(service: SyncService, secrets: SecretKeys = .none) {
        self.init(service.state, service, secrets)
    }

    /// Creates a provider of a state; `fetch…` takes what is there.
    ///
    /// - Parameters:
    ///   - state: the state that is provided.
    ///   - secrets: the keys whose values are not to be logged.
    public init(state: ConfigState, secrets: SecretKeys = .none) {
        self.init(state, nil, secrets)
    }

    private init(_ state: ConfigState, _ service: SyncService?, _ secrets: SecretKeys) {
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
        return try secrets.result(state.observed.read { $0.snapshot.entries[name] }, forKey: name, type: type)
    }

    /// The value of a key after the source has been read; the one from before if the source cannot be read.
    ///
    /// Where changes are staged (``SyncActivation``), it is the value that is shown. Fetching one key after another
    /// causes one request and not one for each: what came over a network within the last second counts as read.
    ///
    /// - Throws: `ConfigModel.ConfigError` with the code `typeMismatch` if the value is of another type.
    public func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
        await service?.freshen()
        return try value(forKey: key, type: type)
    }

    /// Hands over the value of a key now and each different one that follows it.
    ///
    /// A slow reader skips values but always gets the newest. The sequence ends when its task is cancelled.
    public func watchValue<Return: ~Copyable>(
        forKey key: AbsoluteConfigKey,
        type: ConfigType,
        updatesHandler: (
            _ updates: ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>
        ) async throws -> Return
    ) async throws -> Return {
        let (name, secrets) = (key.dotted, secrets)
        let updates = state.observed.updates { current in
            current.snapshot.entries[name]?.value
        } element: { current, _ in
            Result<LookupResult, any Error> {
                try secrets.result(current.snapshot.entries[name], forKey: name, type: type)
            }
        }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(updates))
    }

    /// All values as they are now; they stay so.
    public func snapshot() -> any ConfigSnapshot {
        let snapshot = state.observed.read(\.snapshot)
        return RemoteConfigProviderSnapshot(providerName: providerName, snapshot: snapshot, secrets: secrets)
    }

    /// Hands over all values as they are now, and then again whenever one of them has changed.
    ///
    /// A slow reader skips states but always gets the newest. The sequence ends when its task is cancelled.
    public func watchSnapshot<Return: ~Copyable>(
        updatesHandler: (
            _ updates: ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>
        ) async throws -> Return
    ) async throws -> Return {
        let (providerName, secrets) = (providerName, secrets)
        let updates = state.observed.updates(of: \.snapshot.revision) { current, _ -> any ConfigSnapshot in
            RemoteConfigProviderSnapshot(providerName: providerName, snapshot: current.snapshot, secrets: secrets)
        }
        return try await updatesHandler(ConfigUpdatesAsyncSequence(updates))
    }
}

extension RemoteConfigProvider: CustomStringConvertible {
    /// The name and the number of values, without any of them.
    public var description: String { "\(providerName)(\(state.current.snapshot.entries.count) values)" }
}

/// All values of a provider at one moment.
private struct RemoteConfigProviderSnapshot: ConfigSnapshot {
    let providerName: String
    let snapshot: EntrySnapshot
    let secrets: SecretKeys

    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        let name = key.dotted
        return try secrets.result(snapshot.entries[name], forKey: name, type: type)
    }
}

extension SecretKeys {
    /// What is found under a key, as a type.
    ///
    /// An error names the kind of a value and never the value itself, which may be a secret.
    fileprivate func result(
        _ entry: EntrySnapshot.Entry?,
        forKey key: String,
        type: ConfigType
    ) throws(ConfigError) -> LookupResult {
        guard let entry else { return LookupResult(encodedKey: key, value: nil) }
        guard let content = entry.value.content(as: type) else {
            let message = "the value is of the kind \(entry.value.kindName) and cannot be read as \(type.spokenName)"
            throw ConfigError(.typeMismatch, message, source: entry.source, location: entry.location, key: key)
        }
        return LookupResult(encodedKey: key, value: ConfigValue(content, isSecret: contains(key)))
    }
}

extension AbsoluteConfigKey {
    /// The components with dots in between.
    fileprivate var dotted: String {
        guard var text = components.first else { return "" }
        text.reserveCapacity(components.reduce(components.count) { $0 + $1.utf8.count })
        for component in components.dropFirst() {
            text += "."
            text += component
        }
        return text
    }
}

extension EntryValue {
    /// The value as swift-configuration's type; `nil` if it is of another kind.
    ///
    /// JSON writes `3` for a decimal as well, and `[]` for arrays of every type. Bytes are written in Base64.
    fileprivate func content(as type: ConfigType) -> ConfigContent? {
        switch (type, self) {
        case (.string, .string(let text)): .string(text)
        case (.int, .integer(let number)): .int(number)
        case (.double, .double(let number)): .double(number)
        case (.double, .integer(let number)): .double(Double(number))
        case (.bool, .boolean(let flag)): .bool(flag)
        case (.bytes, .string(let text)): Self.bytes(text).map { .bytes($0) }
        case (.stringArray, _): [String](configValue: self).map { .stringArray($0) }
        case (.intArray, _): [Int](configValue: self).map { .intArray($0) }
        case (.doubleArray, _): [Double](configValue: self).map { .doubleArray($0) }
        case (.boolArray, _): [Bool](configValue: self).map { .boolArray($0) }
        case (.byteChunkArray, _): [String](configValue: self).flatMap(Self.chunks).map { .byteChunkArray($0) }
        default: nil
        }
    }

    private static func bytes(_ text: String) -> [UInt8]? { ConfigBytesFromBase64StringDecoder().decode(text) }

    private static func chunks(_ texts: [String]) -> [[UInt8]]? {
        let chunks = texts.compactMap(bytes)
        return chunks.count == texts.count ? chunks : nil
    }
}

extension ConfigType {
    /// What a user calls the type.
    fileprivate var spokenName: String {
        switch self {
        case .string: "string"
        case .int: "integer"
        case .double: "number"
        case .bool: "Boolean"
        case .bytes: "bytes in Base64"
        case .stringArray: "array of strings"
        case .intArray: "array of integers"
        case .doubleArray: "array of numbers"
        case .boolArray: "array of Booleans"
        case .byteChunkArray: "array of bytes in Base64"
        }
    }
}
