// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The publishes of a program's sources: for each revision, the text of each user.
///
/// A text names the program, the source, the user and the revision that introduced it, so that all texts differ. A source
/// gives its text under the key that is named after it, and also under ``shared`` if the text ends in `+`.
final class PublishedViews: Sendable {
    /// The empty name is a program without a context.
    static let users = ["", "u1", "u2", "u3"]
    /// The key that several layers have.
    static let shared = "who"

    private let program: String
    private let views = Mutex<[String: [[String: String]]]>([:])

    init(of program: String) { self.program = program }

    /// Publishes a revision.
    ///
    /// - Parameters:
    ///   - users: The users whose text changes. `nil` gives all users the same new text.
    ///   - isShared: Whether the source has the shared key. If that changes, the texts of all users must change.
    @discardableResult
    func publish(_ source: String, for users: [String]? = nil, isShared: Bool = true) -> [String: String] {
        views.withLock { views in
            let revision = views[source]?.count ?? 0
            var view = views[source]?.last ?? [:]
            for user in users ?? Self.users {
                let name = users == nil ? "everybody" : user
                view[user] = "\(program).\(source)/\(name)/\(revision)\(isShared ? "+" : "")"
            }
            views[source, default: []].append(view)
            return view
        }
    }

    /// The newest revision of a source.
    func newest(_ source: String) -> Int { views.withLock { ($0[source]?.count ?? 0) - 1 } }

    /// Whether a source has the shared key in its newest revision.
    func isShared(_ source: String) -> Bool {
        views.withLock { $0[source]?.last?[""]?.hasSuffix("+") ?? false }
    }

    /// The text of each user in a revision of a source.
    func view(of source: String, at revision: Int) -> [String: String] {
        views.withLock { $0[source]?[revision] ?? [:] }
    }
}

/// The oracle: which states one launch of a program may show, and which state it must show in the end.
struct ClientModel {
    let views: PublishedViews
    /// The sources, topmost first.
    let sources: [String]
    /// The sources whose server evaluates: their values depend on the context.
    let evaluated: Set<String>
    /// The bundled default, by user: the lowest layer.
    let bundled: [String: [String: String]]
    /// Whether fetched changes are staged until they are activated.
    let isStaged: Bool
    /// Whether other processes write to the cache. Without a cursor, what is written last counts, which may be older.
    let sharesCache: Bool
    /// Whether staged changes may be shown now: at the launch and during an activation.
    var isOpen = true
    private var user: String?
    private var shown: Set<String> = []
    /// The evaluated sources that show their first answer in another context, even where changes are staged.
    private var answering: Set<String> = []
    /// The revisions that the shown text of a source can belong to.
    private var possible: [String: ClosedRange<Int>] = [:]

    init(
        _ views: PublishedViews,
        _ sources: [String],
        evaluated: Set<String>,
        bundled: [String: [String: String]],
        isStaged: Bool,
        sharesCache: Bool
    ) {
        (self.views, self.sources, self.evaluated, self.bundled) = (views, sources, evaluated, bundled)
        (self.isStaged, self.sharesCache) = (isStaged, sharesCache)
    }

    /// Checks a state that is shown to a user.
    ///
    /// - Returns: The violation, if there is one.
    mutating func see(_ values: [String: String], by user: String) -> String? {
        if user != self.user {
            shown.subtract(evaluated)
            if sharesCache { for source in evaluated { possible["\(source) for \(user)"] = nil } }
            // The cached values of the user, then the first answer, are shown even where changes are staged.
            if self.user != nil { answering = evaluated }
        }
        self.user = user
        for source in sources {
            let place = evaluated.contains(source) ? "\(source) for \(user)" : source
            guard let text = values[source] else {
                if shown.contains(source) { return "the values of \(source) have disappeared" }
                continue
            }
            let known = possible[place]
            let mayMove = !isStaged || isOpen || answering.contains(source) || !shown.contains(source)
            let range = mayMove ? (known?.lowerBound ?? 0)...views.newest(source) : known ?? 0...0
            let fitting = range.filter { views.view(of: source, at: $0)[user] == text }
            guard let first = fitting.first, let last = fitting.last else {
                return "\(text) is not for '\(user)', too old or not activated: revisions \(range)"
            }
            if let known, !known.overlaps(first...last), shown.contains(source), !isOpen { answering.remove(source) }
            possible[place] = first...last
            shown.insert(source)
        }
        let expected = layers(sources.map { values[$0] }, for: user)
        return values == expected ? nil : "the layers give \(expected)"
    }

    /// The values of layers, of which the topmost that has the shared key counts.
    private func layers(_ texts: [String?], for user: String) -> [String: String] {
        var values = bundled[user] ?? [:]
        for (source, text) in zip(sources, texts).reversed() {
            guard let text else { continue }
            values[source] = text
            if text.hasSuffix("+") { values[PublishedViews.shared] = text }
        }
        return values
    }

    /// The values of a user once all revisions have arrived.
    func newest(for user: String) -> [String: String] {
        layers(sources.map { views.view(of: $0, at: views.newest($0))[user] }, for: user)
    }

    /// Whether a user may start with the values, from a cache into which all processes have written the newest revisions.
    func mayStart(_ values: [String: String], for user: String) -> Bool {
        var known = sources.map { views.view(of: $0, at: views.newest($0))[user] }
        for (index, source) in sources.enumerated() where sharesCache && evaluated.contains(source) {
            // A process may have written an older answer last, before it changed to another user.
            let all = (0...views.newest(source)).map { views.view(of: source, at: $0)[user] }
            if all.contains(values[source]) { known[index] = values[source] }
        }
        return layers(known, for: user) == values
    }
}
