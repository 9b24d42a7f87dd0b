// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Essentials
internal import Observing
internal import Synchronization

/// The facts that built-in conditions evaluate: machine, terminal, program version, the user's language and the clock.
package final class Surroundings: Sendable {
    /// The clock that date windows look at.
    package let clock: any WallClock
    private let current: Mutex<ProgramFacts>
    /// Sent after a fact has changed.
    let changes: ChangeSignal
    /// Whether they stay as they are.
    private let isSnapshot: Bool
    /// The answers of conditions so far, in a snapshot.
    private let answers = ReadOnce<Identity, Bool>()

    /// Creates surroundings with the clock of the system.
    package convenience init(facts: ProgramFacts = .current()) { self.init(facts: facts, clock: SystemWallClock()) }

    /// Creates surroundings with a clock, such as one that a test sets.
    package convenience init(facts: ProgramFacts = .current(), clock: any WallClock) {
        self.init(facts, clock, ChangeSignal(), isSnapshot: false)
    }

    private init(
        _ facts: ProgramFacts,
        _ clock: any WallClock,
        _ changes: ChangeSignal,
        isSnapshot: Bool
    ) {
        (self.clock, self.changes, self.isSnapshot) = (clock, changes, isSnapshot)
        current = Mutex(facts)
    }

    /// An immutable copy of the current surroundings: facts and time are fixed, and a custom condition is evaluated once.
    package func snapshot() -> Surroundings {
        if isSnapshot { return self }
        return Surroundings(facts, FixedClock(now: clock.now, clock: clock), changes, isSnapshot: true)
    }

    /// The answer of a condition that looks at something else than the surroundings.
    func answer(of question: ConditionQuestion) -> Bool {
        isSnapshot ? answers.value(of: Identity(question), read: question.ask) : question.ask()
    }

    /// The current facts.
    package var facts: ProgramFacts { current.withLock(\.self) }

    /// Changes facts, and notifies the conditions that depend on them. Snapshots stay unchanged.
    package func update(_ change: (inout ProgramFacts) -> Void) {
        if isSnapshot { return }
        let isNew = current.withLock { facts in
            let before = facts
            change(&facts)
            return facts != before
        }
        if isNew { changes.send() }
    }
}

/// The program, its machine and its terminal, as the built-in conditions see them.
///
/// ```swift
/// let config = ConfigRepository(facts: .current(version: SemanticVersion("1.4.0")))
/// config.updateFacts { $0.colors = 256 }
/// ```
public struct ProgramFacts: Hashable, Sendable {
    /// The operating system.
    public var platform: Platform
    /// The number of colours of the terminal, such as 8, 256 or 16,777,216; `nil` without a terminal.
    public var colors: Int?
    /// The program's version.
    public var version: SemanticVersion?
    /// The user's language by BCP 47, such as `de` or `pt-BR`.
    public var language: String?
    /// The environment variables.
    public var environment: [String: String]

    /// Creates facts; omitted ones are unknown, except for those of the build.
    public init(
        platform: Platform = .current,
        colors: Int? = nil,
        version: SemanticVersion? = nil,
        language: String? = nil,
        environment: [String: String] = [:]
    ) {
        self.platform = platform
        self.colors = colors
        self.version = version
        self.language = language
        self.environment = environment
    }

    /// The facts that the program finds about itself.
    ///
    /// - Parameters:
    ///   - environment: names the language as well; without it, that of the program.
    ///   - version: the version of the program, if conditions are to look at it.
    ///   - colors: the number of colours of the terminal, if conditions are to look at it.
    public static func current(
        environment: [String: String]? = nil,
        version: SemanticVersion? = nil,
        colors: Int? = nil
    ) -> ProgramFacts {
        let environment = environment ?? ProcessInfo.processInfo.environment
        let language = LanguageTag(environment: environment)?.text
        return ProgramFacts(colors: colors, version: version, language: language, environment: environment)
    }
}

/// The question of a condition that an app defines.
final class ConditionQuestion: Sendable {
    let ask: @Sendable () -> Bool

    init(_ ask: @escaping @Sendable () -> Bool) { self.ask = ask }
}

/// A clock with a fixed time.
private struct FixedClock: WallClock {
    let now: Date
    let clock: any WallClock

    func sleep(until moment: Date) async throws { try await clock.sleep(until: moment) }
}

extension ProgramFacts {
    /// An operating system.
    public enum Platform: String, Hashable, Sendable, CaseIterable {
        /// Linux.
        case linux = "Linux"
        /// macOS.
        case macOS
        /// iOS.
        case iOS
        /// Windows.
        case windows = "Windows"
        /// Any other.
        case other

        /// The one that the program was built for.
        public static var current: Platform {
            #if os(Linux)
                .linux
            #elseif os(macOS)
                .macOS
            #elseif os(iOS)
                .iOS
            #elseif os(Windows)
                .windows
            #else
                .other
            #endif
        }
    }
}

/// The name of a language by BCP 47, with its region and so on: `de`, `pt-BR`.
struct LanguageTag: Hashable, Sendable {
    let text: String
    private let subtags: [String]

    /// Reads a tag as BCP 47 or POSIX spells it: `pt-BR`, `pt_BR.UTF-8`, `de_DE@euro`. `C` and `POSIX` name none.
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

    /// Whether a language range matches this language by the basic filtering of RFC 4647, section 3.3.1: `pt` matches `pt` and
    /// `pt-BR`, `pt-BR` does not match `pt-PT`, and `*` matches every language.
    func matches(_ range: String) -> Bool {
        if range == "*" { return true }
        return LanguageTag(range).map { subtags.starts(with: $0.subtags) } ?? false
    }
}
