// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
public import Configuration
internal import Observing

/// Overrides with the value of a key in a configuration reader.
struct ReaderLink<Value: Equatable & Sendable>: ConfigLink {
    let name: String
    let remoteKey: String?
    // Made once instead of at each reading.
    private let key: DottedKey
    private let kinds: [ReaderKind]
    /// Whether the layers know more of the type than a getter does: its form as JSON, or its limits.
    private var asksLayers: Bool
    private var converter: ValueConverter<Value>
    private let source: @Sendable (LinkInputs) -> ObservedReader?

    init(
        _ place: String,
        _ key: String,
        _ converter: ValueConverter<Value>,
        isRemote: Bool = false,
        source: @escaping @Sendable (LinkInputs) -> ObservedReader?
    ) {
        remoteKey = isRemote ? key : nil
        name = "\(place) \(key)"
        (self.key, self.kinds, self.converter) = (DottedKey(key), converter.form.kinds, converter)
        asksLayers = kinds.contains { $0 == .json || $0 == .jsonArray }
        self.source = source
    }

    // A value outside the limit is one of another type: a lower layer may have another.
    func limited(by limit: ValueLimit<Value>) -> any ConfigLink<Value> {
        var limited = self
        (limited.converter, limited.asksLayers) = (converter.filtered(limit.problem), true)
        return limited
    }

    func answer(from inputs: LinkInputs) throws(ConfigError) -> Override<Value> {
        guard let source = source(inputs) else { return .noOverride }
        // One request gives any form of the value, in the order of the layers. A constant source has none.
        let hasLayers = asksLayers && !source.isConstant
        if hasLayers, let found = served(by: source, inputs) { return .value(found.value) }
        // What no layer has is the value of another provider.
        func read() -> EntryValue? { inputs.json(at: key, as: kinds, in: source) }
        let json = hasLayers ? JSONRequest.$isProbe.withValue(true, operation: read) : read()
        if let json, let value = usable(json) { return .value(value) }
        guard let json else { return .noOverride }
        if !hasLayers, let found = served(by: source, inputs) { return .value(found.value) }
        // A text that is JSON may be meant as a text, such as the case "1" of an enum.
        let text = asksLayers ? inputs.json(at: key, as: [.string], in: source) : nil
        if let value = text.flatMap(usable) { return .value(value) }
        throw converter.form.mismatch(json).naming(key: key.text)
    }

    /// The value of a stored form; of an array also from a text of one.
    private func usable(_ json: EntryValue) -> Value? {
        var json = json
        if kinds.contains(.jsonArray), case .string(let text) = json { json = ReaderKind.array(text) ?? json }
        return converter.form.isOnlyStored(json) ? nil : converter.decoded(json)
    }

    /// The value of the topmost layer that has one of the type, and its origin.
    private func served(by source: ObservedReader, _ inputs: LinkInputs) -> (value: Value, origin: String?)? {
        let isOfOneKey = kinds.contains(.jsonArray) || !kinds.contains(.json)
        let found = JSONRequest.found(isOfOneKey ? .valueOfOneKey : .value) { json in
            if usable(json) != nil { return }
            throw converter.form.explain(json) ?? CodingFault(converter.form.mismatch(json).message)
        } of: {
            inputs.text(at: key, in: source)
        }
        return found.flatMap { found in usable(found.value).map { ($0, found.origin) } }
    }

    /// A reader returns nothing for a value of another type, so each type is tried: too slow for normal reads.
    func problem(in inputs: LinkInputs) -> ConfigError? {
        let inputs = inputs.readingOnce()
        guard case .success(.noOverride) = result(from: inputs), let source = source(inputs) else { return nil }
        let json = inputs.json(at: key, as: ReaderKind.allCases, in: source)
        return json.map { converter.form.mismatch($0).naming(key: key.text) }
    }

    // A provider of JSON names the layer, or the bundled default, that the value is from.
    func origin(in inputs: LinkInputs) -> String? { source(inputs).flatMap { served(by: $0, inputs)?.origin } }

    func context(in inputs: LinkInputs) -> (text: String, changes: ChangeSignal)? { source(inputs)?.context }

    func changes(in inputs: LinkInputs) -> [ChangeSignal] {
        source(inputs).map { source in kinds.map { source.changes(ofKey: key.text, as: $0) } } ?? []
    }
}

extension ConfigDefinition where Value: Codable {
    /// Creates a definition that reads the remote key of its id, under an id that no other definition has and that never
    /// changes.
    public init(_ id: String, default defaultValue: Value, isSecret: Bool = false) {
        self.init(id: id, defaultValue, isSecret)
        if KeyRule.problem(in: id) != nil { return }
        self = remote(id)
        readsID = true
    }

    /// Creates a definition that reads another remote key than its id, or none (`nil`).
    public init(_ id: String, default defaultValue: Value, remote key: String?, isSecret: Bool = false) {
        self.init(id: id, defaultValue, isSecret)
        if let key { self = remote(key) }
    }

    /// Overrides with the value of a dotted key in the remote configuration of the ``ConfigRepository``, or in another reader,
    /// which is watched for this definition alone.
    public func remote(_ key: String, in reader: ConfigReader? = nil) -> ConfigDefinition {
        let source = reader.map { ObservedReader($0) }
        let place = source.map { LinkPlace.own(ObjectIdentifier($0)) } ?? .remote
        let link = ReaderLink<Value>("remote", key, .automatic, isRemote: true) { source ?? $0.remote }
        return forgettingID().link(link, reading: place)
    }

    /// Overrides with an environment variable of the ``ConfigRepository``, or of another reader: that of `app.title` is
    /// `APP_TITLE`. Each is read once, as environment variables stay as they are.
    public func environment(_ key: String, in reader: ConfigReader? = nil) -> ConfigDefinition {
        let source = reader.map { ObservedReader($0, watching: .constant) }
        let place = source.map { LinkPlace.own(ObjectIdentifier($0)) } ?? .environment
        return link(ReaderLink<Value>("environment", key, .automatic) { source ?? $0.environment }, reading: place)
    }
}
