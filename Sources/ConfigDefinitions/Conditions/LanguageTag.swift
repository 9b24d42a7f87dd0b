/// The name of a language by BCP 47, with its region and so on: `de`, `pt-BR`.
struct LanguageTag: Hashable, Sendable {
    let text: String
    private let subtags: [String]

    /// Takes a tag as BCP 47 or POSIX spells it: `pt-BR`, `pt_BR.UTF-8`, `de_DE@euro`. `C` and `POSIX` name none.
    init?(_ text: String) {
        let name = text.prefix { $0 != "." && $0 != "@" }
        let subtags = name.split(whereSeparator: { $0 == "-" || $0 == "_" }).map(String.init)
        guard let first = subtags.first, first != "C", first != "POSIX" else { return nil }
        self.text = subtags.joined(separator: "-")
        self.subtags = subtags.map { $0.lowercased() }
    }

    /// The language of messages, from the variables that POSIX has for it, the first that is set.
    init?(environment: [String: String]) {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        guard let text = names.lazy.compactMap({ environment[$0] }).first(where: { !$0.isEmpty }) else { return nil }
        self.init(text)
    }

    /// Whether this language is one of those that a range names, by the basic filtering of RFC 4647, section 3.3.1: `pt`
    /// names `pt` and `pt-BR`, `pt-BR` does not name `pt-PT`, `*` names all.
    func matches(_ range: String) -> Bool {
        if range == "*" { return true }
        return LanguageTag(range).map { subtags.starts(with: $0.subtags) } ?? false
    }
}
