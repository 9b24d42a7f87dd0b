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
    ///
    /// - Returns: `nil` if the text is not such a list.
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
    func matchesWeakly(_ values: [String]) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tags.contains { values.contains($0.value) }
        }
    }

    /// The values of the strong tags: those that `If-Match` compares.
    var strongValues: [String] {
        switch self {
        case .any: []
        case .tags(let tags): tags.filter { !$0.isWeak }.map(\.value)
        }
    }
}

extension Substring.UTF8View {
    fileprivate mutating func trimSpaces() {
        while let first, first == 0x20 || first == 0x09 { removeFirst() }
        while let last, last == 0x20 || last == 0x09 { removeLast() }
    }
}
