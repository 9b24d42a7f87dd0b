// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// A message whose members are declared once: reading, writing and the schema follow the declaration.
protocol WireMessage {
    /// Whether it is a request: members that are unknown here are errors, and its size is limited. The transport limits
    /// responses, whose unknown members are skipped.
    static var isRequest: Bool { get }

    /// Visits the members in the order in which they are written.
    mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) throws(Visitor.Failure)
}

extension WireMessage {
    static var isRequest: Bool { false }

    /// Reads a whole text into the message.
    mutating func read(_ json: [UInt8]) throws(ConfigError) {
        var found: UInt64 = 0
        let limit = Self.isRequest ? ConfigDocument.maximumBytes : .max
        try JSONScanner.object(json, atMost: limit) { (name, scanner) throws(ConfigError) in
            try readMember(name, from: &scanner, &found)
        }
        try check(found)
    }

    /// Reads an object, which is part of another message.
    mutating func read(from scanner: inout JSONScanner) throws(ConfigError) {
        var found: UInt64 = 0
        try scanner.object { (name, scanner) throws(ConfigError) in try readMember(name, from: &scanner, &found) }
        try check(found)
    }

    private mutating func readMember(
        _ name: String,
        from scanner: inout JSONScanner,
        _ found: inout UInt64
    ) throws(ConfigError) {
        var reader = WireMemberReader(name, scanner)
        try visit(&reader)
        scanner = reader.scanner
        if reader.member != 0 {
            found |= reader.member
        } else if Self.isRequest {
            throw scanner.unknownMember(name, known: memberSchemas.map(\.name))
        } else {
            try scanner.skipValue()
        }
    }

    private mutating func check(_ found: UInt64) throws(ConfigError) {
        var missing = MissingMember(found)
        visit(&missing)
        guard let name = missing.name else { return }
        let origin = Self.isRequest ? "" : ": not a response of a Livery server"
        throw ConfigError(.syntax, "missing member '\(name)'\(origin)")
    }

    /// Writes the members of the object that is open.
    func write(to object: inout JSONWriter) {
        var message = self
        message.visit(&object)
    }

    /// The message as a body.
    func body(reservingBytes capacity: Int = 256) -> [UInt8] {
        JSONWriter.object(reservingBytes: capacity) { write(to: &$0) }
    }

    /// The schema of such messages.
    func schema(_ name: String? = nil) -> WireSchema { .object(name, memberSchemas, isClosed: Self.isRequest) }

    private var memberSchemas: [WireSchema.Member] {
        var (message, schemas) = (self, MemberSchemas())
        message.visit(&schemas)
        return schemas.members
    }
}

/// Visits each member of a message, to read it, to write it or to describe it.
protocol MemberVisitor {
    associatedtype Failure: Error

    mutating func visit<Form: WireForm>(_ member: Member, _ value: inout Form.Value, _ form: Form) throws(Failure)
}

/// A member of a message.
struct Member {
    enum Presence {
        /// All messages have it; one without it cannot be read.
        case required
        /// All messages that are written have it; one without it can be read.
        case written
        /// Some messages have it.
        case optional(isWritten: Bool)
    }

    let name: String
    let presence: Presence

    var isOptional: Bool { if case .optional = presence { true } else { false } }
}

extension MemberVisitor {
    /// A member of each message; one without it cannot be read.
    mutating func required<Form: WireForm>(_ name: String, _ value: inout Form.Value, _ form: Form) throws(Failure) {
        try visit(Member(name: name, presence: .required), &value, form)
    }

    /// A member of each message that is written; one without it can be read.
    mutating func written<Form: WireForm>(_ name: String, _ value: inout Form.Value, _ form: Form) throws(Failure) {
        try visit(Member(name: name, presence: .written), &value, form)
    }

    /// A member that some messages do not have.
    ///
    /// - Parameter isWritten: whether this one has it.
    mutating func optional<Form: WireForm>(
        _ name: String,
        _ value: inout Form.Value,
        _ form: Form,
        if isWritten: Bool = true
    ) throws(Failure) {
        try visit(Member(name: name, presence: .optional(isWritten: isWritten)), &value, form)
    }

    /// A member that messages without a value do not have.
    mutating func optional<Form: WireForm>(_ name: String, _ value: inout Form.Value?, _ form: Form) throws(Failure) {
        let isWritten = value != nil
        try visit(Member(name: name, presence: .optional(isWritten: isWritten)), &value, PresentForm(form: form))
    }

    /// The position in the store's history that a response names by two members.
    mutating func cursor(_ cursor: inout RevisionCursor) throws(Failure) {
        try required("epoch", &cursor.epoch, StringForm.epoch)
        try required("revision", &cursor.revision, RevisionForm())
    }
}

/// Reads the member with a name.
private struct WireMemberReader: MemberVisitor {
    typealias Failure = ConfigError

    private let name: String
    var scanner: JSONScanner
    /// The bit of the member; 0 if there is none.
    private(set) var member: UInt64 = 0
    private var next: UInt64 = 1

    init(_ name: String, _ scanner: JSONScanner) { (self.name, self.scanner) = (name, scanner) }

    mutating func visit<F: WireForm>(_ member: Member, _ value: inout F.Value, _ form: F) throws(ConfigError) {
        if self.member == 0, member.name == name {
            self.member = next
            value = try form.read(&scanner)
        }
        next <<= 1
    }
}

/// Looks for a required member that was not read.
private struct MissingMember: MemberVisitor {
    typealias Failure = Never

    private let found: UInt64
    private(set) var name: String?
    private var next: UInt64 = 1

    init(_ found: UInt64) { self.found = found }

    mutating func visit<F: WireForm>(_ member: Member, _ value: inout F.Value, _ form: F) throws(Never) {
        if case .required = member.presence, found & next == 0, name == nil { name = member.name }
        next <<= 1
    }
}

/// Writes the members into the object that is open.
extension JSONWriter: MemberVisitor {
    typealias Failure = Never

    mutating func visit<F: WireForm>(_ member: Member, _ value: inout F.Value, _ form: F) throws(Never) {
        if case .optional(isWritten: false) = member.presence { return }
        self.member(member.name) { form.write(value, to: &$0) }
    }
}

/// Collects the schemas of the members.
private struct MemberSchemas: MemberVisitor {
    typealias Failure = Never

    private(set) var members: [WireSchema.Member] = []

    mutating func visit<F: WireForm>(_ member: Member, _ value: inout F.Value, _ form: F) throws(Never) {
        members.append(WireSchema.Member(name: member.name, schema: form.schema, isRequired: !member.isOptional))
    }
}
