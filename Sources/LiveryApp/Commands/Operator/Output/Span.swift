/// A piece of a line, and what it is. Its text may come from anywhere: it is made harmless when it is printed.
struct Span: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// What a piece is, which may show as a colour.
    enum Role: Hashable, Sendable {
        case plain, heading, key, faint, added, removed, changed, problem
    }

    var text: String
    var role: Role

    init(_ text: String, _ role: Role = .plain) {
        self.text = text
        self.role = role
    }

    init(stringLiteral text: String) {
        self.init(text)
    }
}

extension Span.Role {
    /// The parameter of the sequence that sets the colour or weight (ECMA-48, SGR): the user's own palette, so that it
    /// can be read on any background.
    var parameter: String? {
        switch self {
        case .plain: nil
        case .heading, .key: "1"
        case .faint: "2"
        case .added: "32"
        case .removed, .problem: "31"
        case .changed: "33"
        }
    }
}
