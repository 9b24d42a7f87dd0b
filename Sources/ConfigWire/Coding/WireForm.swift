// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// How the value of a member is read and written, and its schema.
protocol WireForm<Value> {
    associatedtype Value
    var schema: WireSchema { get }
    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> Value
    func write(_ value: Value, to json: inout JSONWriter)
}

/// A string, or the reason of a write, whose length is limited.
struct TextForm: WireForm {
    var isReason = false
    var schema: WireSchema { isReason ? .message : .text }

    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> String {
        isReason ? try scanner.message() : try scanner.text()
    }

    func write(_ value: String, to json: inout JSONWriter) { json.string(value) }
}

/// A string that is read as a value of a type, which an error names.
struct StringForm<Value: LosslessStringConvertible>: WireForm {
    let name: String
    let makeSchema: () -> WireSchema
    var schema: WireSchema { makeSchema() }
    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> Value { try scanner.parsed(name) }
    func write(_ value: Value, to json: inout JSONWriter) { json.string(value.description) }
}

struct RevisionForm: WireForm {
    var schema: WireSchema { .revision }
    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> UInt64 { try scanner.revision() }
    func write(_ value: UInt64, to json: inout JSONWriter) { json.number(value) }
}

struct CountForm: WireForm {
    var schema: WireSchema { .count }
    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> Int { Int(clamping: try scanner.revision()) }
    func write(_ value: Int, to json: inout JSONWriter) { json.number(value) }
}

/// The value of an entry of a kind.
struct EntryValueForm: WireForm {
    var kind = EntryKind.value
    var schema: WireSchema { kind.valueSchema }
    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> EntryValue { try scanner.value() }
    func write(_ value: EntryValue, to json: inout JSONWriter) { json.value(value) }
}

/// Any value, `null` as well.
struct AnyValueForm: WireForm {
    var schema: WireSchema { .anything }
    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> EntryValue { try scanner.anyValue() }
    func write(_ value: EntryValue, to json: inout JSONWriter) { json.value(value) }
}

/// The content of an entry of a kind, in a request.
struct ContentForm: WireForm {
    let kind: EntryKind
    var schema: WireSchema { kind.valueSchema }
    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> EntryValue { try scanner.value(of: kind) }
    func write(_ value: EntryValue, to json: inout JSONWriter) { json.value(value) }
}

/// The values by their keys.
struct ValuesForm: WireForm {
    var schema: WireSchema { .values }

    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> [String: EntryValue] {
        try scanner.values().mapValues(\.self)
    }

    func write(_ values: [String: EntryValue], to json: inout JSONWriter) {
        json.values(values.lazy.map { ($0.key, $0.value) })
    }
}

/// The names of entries of a kind.
struct NamesForm: WireForm {
    let kind: EntryKind
    var schema: WireSchema { kind.nameSchema.list() }
    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> [String] { try scanner.names(of: kind) }
    func write(_ names: [String], to json: inout JSONWriter) { json.strings(names) }
}

/// A set of keys.
struct KeySetForm: WireForm {
    var schema: WireSchema { WireSchema.key.list() }
    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> Set<String> { Set(try scanner.names(of: .value)) }
    func write(_ keys: Set<String>, to json: inout JSONWriter) { json.strings(keys.sorted()) }
}

/// Schemas or rules by name; `null` removes one.
struct EditsForm: WireForm {
    let kind: EntryKind
    var schema: WireSchema { kind == .rule ? .ruleEdits : .map(nil, kind.nameSchema, to: kind.valueSchema.orNull) }
    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> [String: EntryValue?] { try scanner.edits(of: kind) }
    func write(_ edits: [String: EntryValue?], to json: inout JSONWriter) { json.edits(edits) }
}

/// A value or `null`.
struct NullableForm<Form: WireForm>: WireForm {
    let form: Form
    var schema: WireSchema { form.schema.orNull }

    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> Form.Value? {
        try scanner.skipNull() ? nil : try form.read(&scanner)
    }

    func write(_ value: Form.Value?, to json: inout JSONWriter) { json.optional(value) { form.write($1, to: &$0) } }
}

/// The value of a member that is left out where there is no value.
struct PresentForm<Form: WireForm>: WireForm {
    let form: Form
    var schema: WireSchema { form.schema }
    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> Form.Value? { try form.read(&scanner) }
    func write(_ value: Form.Value?, to json: inout JSONWriter) { if let value { form.write(value, to: &json) } }
}

/// A value with another schema than its form has.
struct DescribedForm<Form: WireForm>: WireForm {
    let form: Form
    let makeSchema: () -> WireSchema
    var schema: WireSchema { makeSchema() }
    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> Form.Value { try form.read(&scanner) }
    func write(_ value: Form.Value, to json: inout JSONWriter) { form.write(value, to: &json) }
}

/// A list of messages.
struct ListForm<Message: WireMessage>: WireForm {
    /// The message that each is read into.
    let start: Message
    /// The name of the schema of a message.
    var name: String?
    var schema: WireSchema { start.schema(name).list() }

    func read(_ scanner: inout JSONScanner) throws(ConfigError) -> [Message] {
        var messages: [Message] = []
        try scanner.array { (scanner) throws(ConfigError) in
            var message = start
            try message.read(from: &scanner)
            messages.append(message)
        }
        return messages
    }

    func write(_ messages: [Message], to json: inout JSONWriter) {
        json.array { array in
            for message in messages { array.object(message.write) }
        }
    }
}

extension WireForm {
    /// The value or `null`.
    var orNull: NullableForm<Self> { NullableForm(form: self) }

    func described(by schema: @autoclosure @escaping () -> WireSchema) -> DescribedForm<Self> {
        DescribedForm(form: self, makeSchema: schema)
    }
}

extension StringForm<Epoch> {
    static var epoch: Self { StringForm(name: "epoch") { .epoch } }
}
extension StringForm<ConfigDigest> {
    static var digest: Self { StringForm(name: "digest") { .digest } }
}
extension StringForm<Timestamp> { static var time: Self { StringForm(name: "time") { .time } } }
extension StringForm<EntryKind> {
    /// A kind that is not that of values.
    static var kind: Self { StringForm(name: "kind") { WireSchema(["enum": ["schema", "rule"]]) } }
}
