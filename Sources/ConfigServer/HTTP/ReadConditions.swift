// SPDX-License-Identifier: Apache-2.0

internal import NIOHTTP1

/// The fields of a request that decide whether an answer is sent, and in which form.
struct ReadConditions {
    var ifMatch: String?
    var ifNoneMatch: String?
    var hasUnmodifiedSince = false
    /// Whether there are no conditions.
    var isEmpty: Bool { ifMatch == nil && ifNoneMatch == nil && !hasUnmodifiedSince }
    var acceptEncoding: String?
    /// The field ``RevisionCursor/fieldName``.
    var liveryRevision: String?
}

extension ReadConditions {
    /// Reads the fields in one pass.
    init(_ fields: some Sequence<(name: String, value: String)>) {
        for (name, value) in fields { read(name, value) }
    }

    /// Reads a field, if it is one of these. Lists may be spread over several lines.
    mutating func read(_ name: String, _ value: String) {
        switch name.utf8.count {
        case 8 where name.isField("if-match"): ifMatch.join(value)
        case 13 where name.isField("if-none-match"): ifNoneMatch.join(value)
        case 15 where name.isField("accept-encoding"): acceptEncoding.join(value)
        case 15 where name.isField("livery-revision"): liveryRevision.join(value)
        case 19 where name.isField("if-unmodified-since"): hasUnmodifiedSince = true
        default: break
        }
    }
}

// RFC 9110, section 13. `If-Modified-Since` is ignored, as section 13.1.3 requires for resources without a modification date.
extension ReadConditions {
    /// Whether the client has the answer already, which then is 304.
    ///
    /// - Parameters:
    ///   - tag: the entity tag of the answer, without quotes; `nil` without one, which no tag matches.
    ///   - isStorable: whether a client may keep the answer; if not, only `*` matches, as the tag does not cover all of it.
    /// - Throws: ``Problem`` with the status 412, or 400 for malformed conditions.
    func isKnown(tag: String?, isStorable: Bool = true) throws(Problem) -> Bool {
        try requireMatch(of: tag)
        let known = isStorable ? tag : nil
        return ifNoneMatch.flatMap { EntityTags($0) }?.matchesWeakly(known.map { [$0] } ?? []) ?? false
    }

    func requireMatch(of tag: @autoclosure () -> String?) throws(Problem) {
        guard ifMatch != nil || hasUnmodifiedSince, let tags = try matchTags() else { return }
        let tag = tag()
        if tags == .any || (tag.map { tags.strongValues.contains($0) } ?? false) { return }
        let detail = "the entry has changed since you read it (If-Match failed); fetch it and retry"
        throw Problem(.preconditionFailed, "precondition-failed", detail, field: "If-Match")
    }

    /// - Throws: ``Problem`` if the field is malformed, or if there is a date in its place: dates are precise to a second, in
    ///   which several changes may happen, and ignoring one would lose another client's change.
    func matchTags() throws(Problem) -> EntityTags? {
        guard let ifMatch else {
            guard hasUnmodifiedSince else { return nil }
            throw Self.refused("dates cannot distinguish revisions; send 'If-Match' instead", "If-Unmodified-Since")
        }
        return try Self.tags(ifMatch, "If-Match")
    }

    func noneMatchTags() throws(Problem) -> EntityTags? {
        try ifNoneMatch.map { (text) throws(Problem) in try Self.tags(text, "If-None-Match") }
    }

    /// Refuses all conditions, for a write that cannot honour them.
    func requireNone() throws(Problem) {
        guard let field = ifMatch != nil ? "If-Match" : ifNoneMatch != nil ? "If-None-Match" : nil else { return }
        throw Self.refused("this request does not support conditions", field)
    }

    private static func tags(_ text: String, _ field: String) throws(Problem) -> EntityTags {
        if let tags = EntityTags(text) { return tags }
        throw refused("\(field) must be '*' or a list of quoted entity tags", field)
    }

    private static func refused(_ detail: String, _ field: String) -> Problem {
        Problem(.badRequest, "invalid-header", detail, field: field)
    }
}

extension Reply {
    /// The answer to a read after its conditions: as it is, or 304.
    func applying(_ conditions: ReadConditions) throws(Problem) -> Reply {
        guard status == .ok else { return self }
        let tag = headers.first(name: "etag").map { String($0.dropFirst().dropLast()) }
        let isStorable = headers.first(name: "cache-control") != "no-store"
        if try !conditions.isKnown(tag: tag, isStorable: isStorable) { return self }
        var reply = Reply(.notModified)
        for name in ["etag", "cache-control", "vary"] {
            for value in headers[name] { reply.headers.add(name: name, value: value) }
        }
        return reply
    }
}

/// A list of entity tags, the value of `If-Match` and `If-None-Match` (RFC 9110, section 13.1).
enum EntityTags: Hashable, Sendable {
    /// `*`: any existing representation.
    case any
    /// Some tags, without their quotes.
    case tags([Tag])

    struct Tag: Hashable, Sendable {
        var value: String
        var isWeak: Bool
    }

    /// Elements may be empty, and so may the list, which then matches nothing.
    init?(_ text: String) {
        var rest = text.utf8[...]
        rest.trimSpaces()
        if rest.elementsEqual("*".utf8) {
            self = .any
            return
        }
        var tags: [Tag] = []
        while !rest.isEmpty {
            if rest.first == UInt8(ascii: ",") {
                rest = rest.dropFirst()
                rest.trimSpaces()
                continue
            }
            let isWeak = rest.starts(with: "W/".utf8)
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.popFirst() == UInt8(ascii: "\""), let end = rest.firstIndex(of: UInt8(ascii: "\"")) else {
                return nil
            }
            tags.append(Tag(value: String(rest[..<end]) ?? "", isWeak: isWeak))
            rest = rest[end...].dropFirst()
            rest.trimSpaces()
            guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
        }
        self = .tags(tags)
    }

    /// Whether one of the values is among the tags, weak or not: the comparison for `If-None-Match`.
    func matchesWeakly(_ values: [String]) -> Bool { matchesWeakly { values.contains($0) } }

    /// The same, for values that are compared by a function.
    func matchesWeakly(where isPresent: (String) -> Bool) -> Bool {
        guard case .tags(let tags) = self else { return true }
        return tags.contains { isPresent($0.value) }
    }

    /// The values of the strong tags, which `If-Match` compares.
    var strongValues: [String] {
        guard case .tags(let tags) = self else { return [] }
        return tags.filter { !$0.isWeak }.map(\.value)
    }
}

extension Substring.UTF8View {
    /// Removes spaces and tabs from both ends.
    mutating func trimSpaces() {
        while let first, first == 0x20 || first == 0x09 { removeFirst() }
        while let last, last == 0x20 || last == 0x09 { removeLast() }
    }
}
