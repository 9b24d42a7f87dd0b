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
    private var converter: ValueConverter<Value>
    private var kinds: [ReaderKind] { converter.form.kinds }
    private let source: @Sendable (LinkInputs) -> ObservedReader?
    private var check: @Sendable (EntryValue) throws -> Void {
        { [form = converter.form] json in
            if form.normalized(json) == nil { throw form.explain(json) ?? CodingFault(form.mismatch(json).message) }
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
        (self.key, self.converter) = (DottedKey(key), converter)
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
        let json = inputs.json(at: key, as: kinds, in: source)
        if let json, converter.form.isOnlyStored(json) { throw converter.form.mismatch(json).naming(key: key.text) }
        // It may be the text of an object or an array.
        if json == nil, kinds.contains(.string), source.reader.string(forKey: key.ofReader) != nil,
            let lower = lower(in: source, inputs)
        {
            return try converter.override(lower, key: key.text)
        }
        do throws(ConfigError) {
            return try converter.override(json, key: key.text)
        } catch {
            // A text that is JSON may be a text for all that, such as the case "1" of an enum, and a lower layer may have a
            // value of the type; else the first error counts.
            let text = kinds.contains(.json) ? inputs.json(at: key, as: [.string], in: source) : nil
            if let text, let value = try? converter.override(text, key: key.text) { return value }
            if let lower = lower(in: source, inputs), let value = try? converter.override(lower, key: key.text) {
                return value
            }
            throw error
        }
    }

    /// The value of the topmost layer that has one of the type.
    private func lower(in source: ObservedReader, _ inputs: LinkInputs) -> EntryValue? {
        JSONRequest.value(check: check) { inputs.reader(of: source).string(forKey: key.ofReader) }
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
