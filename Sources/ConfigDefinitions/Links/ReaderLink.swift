// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Configuration
internal import Observing

/// Overrides with the value of a key in a configuration reader.
struct ReaderLink<Value: Equatable & Sendable>: LimitingLink {
    let name: String
    let remoteKey: String?
    // Made once instead of at each reading.
    private let key: DottedKey
    private let kinds: [ReaderKind]
    /// Whether a value may be a text of JSON.
    private let readsJSON: Bool
    private var converter: ValueConverter<Value>
    private let source: @Sendable (LinkInputs) -> ObservedReader?
    private var check: @Sendable (EntryValue) throws -> Void {
        { json in
            if usable(json) != nil { return }
            throw converter.form.explain(json) ?? CodingFault(converter.form.mismatch(json).message)
        }
    }

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
        readsJSON = kinds.contains { $0 == .json || $0 == .jsonArray }
        self.source = source
    }

    // A value outside the limit is one of another type: a lower layer may have another.
    func applying(_ limit: ValueLimit<Value>) -> ReaderLink {
        var limited = self
        limited.converter = converter.filtered(limit.problem)
        return limited
    }

    func answer(from inputs: LinkInputs) throws(ConfigError) -> Override<Value> {
        guard let source = source(inputs) else { return .noOverride }
        // Layers are asked for any form of the value at once, in their order. A constant source has none.
        if readsJSON, !source.isConstant, let value = served(by: source, inputs) { return .value(value) }
        let json = inputs.json(at: key, as: kinds, in: source)
        if let json, let value = usable(json) { return .value(value) }
        // A getter knows no limit, and a text may be that of an object or an array.
        let isOther = json != nil || kinds.contains(.string) && source.reader.string(forKey: key.ofReader) != nil
        if isOther, !readsJSON, let value = served(by: source, inputs) { return .value(value) }
        guard let json else { return .noOverride }
        // A text that is JSON may be a text for all that, such as the case "1" of an enum.
        let text = readsJSON ? inputs.json(at: key, as: [.string], in: source) : nil
        if let value = text.flatMap(usable) { return .value(value) }
        throw converter.form.mismatch(json).naming(key: key.text)
    }

    /// The value of a stored form; of an array also from a text of one.
    private func usable(_ json: EntryValue) -> Value? {
        var json = json
        if kinds.contains(.jsonArray), case .string(let text) = json,
            // A text that is no JSON is no array.
            let array = try? EntryValue(text: text), case .array = array
        {
            json = array
        }
        return converter.form.isOnlyStored(json) ? nil : converter.decoded(json)
    }

    /// The value of the topmost layer that has one of the type.
    private func served(by source: ObservedReader, _ inputs: LinkInputs) -> Value? {
        JSONRequest.value(check: check) { inputs.reader(of: source).string(forKey: key.ofReader) }.flatMap(usable)
    }

    /// A reader returns nothing for a value of another type, so each type is tried: too slow for normal reads.
    func problem(in inputs: LinkInputs) -> ConfigError? {
        let inputs = inputs.readingOnce()
        guard case .success(.noOverride) = result(from: inputs), let source = source(inputs) else { return nil }
        let json = inputs.json(at: key, as: ReaderKind.allCases, in: source)
        return json.map { converter.form.mismatch($0).naming(key: key.text) }
    }

    func origin(in inputs: LinkInputs) -> String? {
        guard let source = source(inputs) else { return nil }
        // A provider of JSON names the layer, or the bundled default, that the value is from.
        return JSONRequest.origin(check: check) { _ = inputs.reader(of: source).string(forKey: key.ofReader) }
    }

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

    /// Overrides with the value of a dotted key in a reader, by default the remote configuration of the inputs.
    public func remote(_ key: String, in source: ObservedReader? = nil) -> ConfigDefinition {
        let place = source.map { LinkPlace.own(ObjectIdentifier($0)) } ?? .remote
        let link = ReaderLink<Value>("remote", key, .automatic, isRemote: true) { source ?? $0.remote }
        return forgettingID().link(link, reading: place)
    }

    /// Overrides with an environment variable, of a reader or of the inputs: that of `app.title` is `APP_TITLE`.
    public func environment(_ key: String, in source: ObservedReader? = nil) -> ConfigDefinition {
        let place = source.map { LinkPlace.own(ObjectIdentifier($0)) } ?? .environment
        return link(ReaderLink<Value>("environment", key, .automatic) { source ?? $0.environment }, reading: place)
    }
}
