// SPDX-License-Identifier: Apache-2.0

/// A place in a value, a schema or a rule by RFC 6901.
///
/// It shares its prefix with the positions around it, so that storing it is cheap; the text is created on demand.
package indirect enum JSONPointer: Hashable, Sendable {
    case root
    case member(ExactString, of: JSONPointer)
    case element(Int, of: JSONPointer)

    package func appending(_ name: String) -> JSONPointer { .member(ExactString(name), of: self) }
    package func appending(_ index: Int) -> JSONPointer { .element(index, of: self) }

    /// A name with `~` and `/` escaped.
    package static func token(_ name: String) -> String {
        var token = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": token.append(contentsOf: "~0".unicodeScalars)
            case "/": token.append(contentsOf: "~1".unicodeScalars)
            default: token.append(scalar)
            }
        }
        return String(token)
    }

    /// The names and indices of a pointer as text.
    package static func tokens(of text: String) -> [String] {
        text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { token in
            String(token).replacing("~1", with: "/").replacing("~0", with: "~")
        }
    }
}

extension JSONPointer: CustomStringConvertible {
    package var description: String {
        var (tokens, place): ([String], JSONPointer) = ([], self)
        while true {
            switch place {
            case .root: return tokens.reversed().map { "/" + $0 }.joined()
            case .member(let name, let parent): (tokens, place) = (tokens + [Self.token(name.string)], parent)
            case .element(let index, let parent): (tokens, place) = (tokens + [String(index)], parent)
            }
        }
    }
}
