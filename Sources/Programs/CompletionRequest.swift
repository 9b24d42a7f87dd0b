// SPDX-License-Identifier: Apache-2.0

/// Completes the last word of a command line from the description of its commands.
///
/// The parser's own scripts count a word as the root's positional argument before they look for a command of that name.
struct CompletionRequest {
    /// A candidate for the word.
    struct Candidate: Hashable {
        var word: String
        var summary = ""
    }

    enum Answer: Hashable {
        /// Whole words, of which each begins with the word to complete.
        case words([Candidate])
        /// Files, with these extensions if there are any; the shell finds them. Of a word such as `--name=path`, the shell
        /// completes the path.
        case files(extensions: [String])
        /// The values that the program computes for an argument.
        ///
        /// - Parameters:
        ///   - request: the arguments of the parser's own request for them.
        ///   - prefix: what goes before each value in the word, such as `--name=`.
        ///   - commands: the commands that the word may name instead.
        case computed(request: [String], prefix: String, commands: [Candidate] = [])
    }

    private typealias Argument = CommandDescription.Argument

    /// A command and the names that lead to it from the root.
    private struct Level {
        var command: CommandDescription
        var path: [String] = []
    }

    private let program: String
    private var level: Level
    private var usedNames: Set<String> = []
    private var positionalCount = 0
    /// The option whose value comes next.
    private var pending: Argument?
    private var isAfterTerminator = false
    /// Whether only names of commands follow, as after `help`.
    private var isHelp = false

    private let words: [String]
    private var word: String { words.last ?? "" }

    /// - Parameter words: the words after the program's name, up to the cursor. The last one is completed; it may be empty.
    init(_ words: [String], root: CommandDescription) {
        self.words = words
        program = root.commandName
        level = Level(command: root)
        for word in words.dropLast() { read(word) }
    }

    // MARK: The words before

    private mutating func read(_ word: String) {
        if pending != nil {
            pending = nil
        } else if !isAfterTerminator, word == "--" {
            isAfterTerminator = true
        } else if isOption(word) {
            let (name, value) = Self.parts(of: word)
            usedNames.insert(name)
            if value == nil {
                pending = argument(named: name).flatMap { $0.argument.kind == .option ? $0.argument : nil }
            }
        } else if acceptsCommand, let command = level.command.subcommand(word) {
            // `help` is followed by the names of the program's own commands.
            if level.path.isEmpty, word == "help" {
                isHelp = true
            } else {
                level = Level(command: command, path: level.path + [word])
            }
        } else {
            positionalCount += 1
        }
    }

    private func isOption(_ word: String) -> Bool {
        !isAfterTerminator && !isHelp && word.hasPrefix("-") && word != "-"
    }

    /// A command goes before all options and arguments.
    private var acceptsCommand: Bool { usedNames.isEmpty && positionalCount == 0 && !isAfterTerminator }

    /// The command that is named, and the one that runs if no other is.
    private var levels: [Level] {
        let standard = level.command.defaultSubcommand.flatMap(level.command.subcommand)
        return [level] + (standard.map { [Level(command: $0, path: level.path + [$0.commandName])] } ?? [])
    }

    private func argument(named name: String) -> (argument: Argument, level: Level)? {
        for level in levels {
            let argument = level.command.arguments?.first { $0.dashedNames.contains(name) }
            if let argument { return (argument, level) }
        }
        return nil
    }

    /// The name of an option, and the value after `=`, by bytes.
    private static func parts(of word: String) -> (name: String, value: String?) {
        guard word.hasPrefix("--"), let sign = word.unicodeScalars.firstIndex(of: "=") else { return (word, nil) }
        return (String(word.unicodeScalars[..<sign]), String(word.unicodeScalars[sign...].dropFirst()))
    }

    // MARK: The last word

    func answer() -> Answer {
        if pending != nil, let name = words.dropLast().last, let option = argument(named: name) {
            return values(of: option.argument, named: name, at: option.level)
        }
        if isHelp { return .words(commands) }
        if !isAfterTerminator, word.hasPrefix("-") {
            let (name, value) = Self.parts(of: word)
            guard value != nil, let option = argument(named: name) else { return .words(options) }
            return values(of: option.argument, named: name, at: option.level, prefix: "\(name)=")
        }
        let named = acceptsCommand ? commands : []
        for level in levels {
            let positionals = level.command.positionals
            let last = positionals.last?.isRepeating == true ? positionals.count - 1 : positionalCount
            let index = min(positionalCount, last)
            guard positionals.indices.contains(index) else { continue }
            let answer = values(of: positionals[index], named: "positional@\(index)", at: level)
            if named.isEmpty { return answer }
            if case .computed(let request, let prefix, _) = answer {
                return .computed(request: request, prefix: prefix, commands: named)
            }
        }
        if !named.isEmpty { return .words(named) }
        return .words(word.isEmpty && !isAfterTerminator ? options : [])
    }

    private var commands: [Candidate] {
        (level.command.subcommands ?? []).filter(\.shouldDisplay)
            .compactMap { candidate($0.commandName, $0.abstract) }
    }

    /// The options that may still be given.
    private var options: [Candidate] {
        var seen: Set<String> = []
        return levels.flatMap { $0.command.arguments ?? [] }
            .filter { $0.shouldDisplay && ($0.isRepeating || usedNames.isDisjoint(with: $0.dashedNames)) }
            .flatMap { argument in argument.dashedNames.compactMap { candidate($0, argument.abstract) } }
            .filter { seen.insert($0.word).inserted }
    }

    private func candidate(_ name: String, _ summary: String?) -> Candidate? {
        name.utf8.starts(with: word.utf8) ? Candidate(word: name, summary: summary ?? "") : nil
    }

    private func values(of argument: Argument, named name: String, at level: Level, prefix: String = "") -> Answer {
        if let files = argument.completionKind?.file { return .files(extensions: files.extensions) }
        if let list = argument.completionKind?.list {
            return .words(list.values.compactMap { candidate(prefix + $0, nil) })
        }
        guard argument.completionKind?.custom != nil else { return .words([]) }
        let value = String(word.unicodeScalars.dropFirst(prefix.unicodeScalars.count))
        let request = ["---completion"] + level.path + ["--", name, "\(words.count)", "\(value.count)", program]
        return .computed(request: request + words.dropLast() + [value], prefix: prefix)
    }
}
