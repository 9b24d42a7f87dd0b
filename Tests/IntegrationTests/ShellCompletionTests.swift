// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The scripts of `--generate-completion-script` in the real shells.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct ShellCompletionTests {
    enum Shell: String, CaseIterable { case bash, zsh, fish }

    /// A command line up to the cursor, and what completes its last word, sorted.
    struct Case {
        var line: String
        var words: [String]
    }

    static let cases = [
        Case(line: "livery s", words: ["schema", "set"]),
        Case(line: "livery schema ", words: ["check", "list", "set", "show", "swift", "unset"]),
        Case(line: "livery schema check --js", words: ["--json"]),
        Case(line: "livery get --at 3 --name", words: ["--namespace"]),
        Case(line: "livery --color ", words: ["16", "256", "8", "auto", "never", "truecolor"]),
        Case(line: "livery export --format f", words: ["flagd"]),
        Case(line: "livery ./", words: ["config.json", "folder", "notes.txt"]),
        Case(line: "livery set --token-file ./", words: ["config.json", "folder", "notes.txt"]),
        Case(line: "livery set --token-file=./c", words: ["config.json"]),
        Case(line: "livery import ", words: ["config.json", "folder"]),
        Case(line: "livery get http", words: []),
        Case(line: "livery-server t", words: ["token"]),
        Case(line: "livery-server token r", words: ["revoke", "rotate"]),
        Case(line: "livery-server --log-f", words: ["--log-format"]),
        Case(line: "livery-server serve --log-format ", words: ["json", "text"]),
        Case(line: "livery-server --tls-certificate ./n", words: ["notes.txt"]),
        Case(line: "livery-server token create x --role ", words: ["admin", "approve", "read", "write"]),
    ]

    @Test(arguments: Shell.allCases)
    func completesCommandsOptionsValuesAndFiles(shell: Shell) throws {
        try Self.expect(Self.cases, in: shell)
    }

    @Test func bashCompletesInQuotesAndByAnAlias() throws {
        let lines = [#"livery --color "a"#, "livery --color 'a", #"livery "--color" "a"#, #"livery --color="a"#]
        let cases = (lines + ["l --color a"]).map { Case(line: $0, words: ["auto"]) }
        try Self.expect(cases + [Case(line: #"livery import "./c"#, words: ["config.json"])], in: .bash)
    }

    @Test(arguments: Shell.allCases)
    func completesNamesOfRulesAndSchemas(shell: Shell) throws {
        let desk = try OperatorDesk()
        try desk.folder.write("{}", to: "empty.json")
        for words in [
            ["set", "app.v=1"], ["rule", "set", "$evaluators", "empty.json"], ["schema", "set", "app.*", "empty.json"],
        ] { #expect(try desk.run(words).status.isSuccess) }
        let place = "--server \(desk.address)"
        // Bash and zsh quote what would have a meaning.
        let cases = [
            Case(line: "livery get \(place) ", words: ["app.v"]),
            Case(line: "livery history \(place) --schema ", words: [shell != .fish ? #"app.\*"# : "app.*"]),
            Case(line: "livery history \(place) --rule ", words: [shell != .fish ? #"\$evaluators"# : "$evaluators"]),
        ]
        try Self.expect(cases, in: shell, deadline: .seconds(20))
    }

    /// - Parameter deadline: how long other completions are tried again: one that needs a server has none where that takes long.
    private static func expect(_ cases: [Case], in shell: Shell, deadline: Duration = .zero) throws {
        let folder = try TemporaryDirectory(prefix: "completion")
        for name in ["livery", "livery-server"] {
            let script = try Command(builtProduct(named: name), ["--generate-completion-script", shell.rawValue])
                .run()
            try folder.write(script.standardOutput, to: "scripts/\(name)")
        }
        for file in ["config.json", "notes.txt", "folder/inside.json"] { try folder.write("", to: "files/\(file)") }
        var wrong: [String] = []
        try until("the completions of \(shell)", deadline: deadline, lastState: wrong.joined(separator: "\n")) {
            let found = try completions(of: cases.map(\.line), in: shell, folder)
            #expect(found.count == cases.count)
            wrong = zip(cases, found).filter { $0.words != $1 }.map { "'\($0.line)': \($1), not \($0.words)" }
            return wrong.isEmpty
        }
    }

    /// The completions of each line, without folders before files, `--name=` before values and what some shells add.
    private static func completions(
        of lines: [String],
        in shell: Shell,
        _ folder: TemporaryDirectory
    ) throws -> [[String]] {
        let products = try URL(filePath: builtProduct(named: "livery")).deletingLastPathComponent().path
        let path = "\(products):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        let environment = Command.environment(
            terminal: "dumb",
            adding: [
                "PATH": path, "HOME": folder.path, "SCRIPTS": folder["scripts"], "CASES": lines.joined(separator: "\n"),
            ]
        )
        let options =
            shell == .fish ? ["--no-config", "-c", fish] : shell == .zsh ? ["-f", "-c", zsh] : ["--norc", "-c", bash]
        let output = try Command(
            shell.rawValue,
            options,
            environment: environment,
            workingDirectory: folder["files"]
        ).run()
        #expect(output.status.isSuccess, "\(output)")
        return output.standardOutput.components(separatedBy: "<end>\n").dropLast().map { words in
            words.split(separator: "\n").map { line in
                var word = String(line.prefix { $0 != "\t" })
                if word.hasPrefix("--"), let sign = word.firstIndex(of: "=") {
                    word = String(word[sign...].dropFirst())
                }
                if word.hasPrefix("./") { word.removeFirst(2) }
                if word.hasSuffix("/") { word.removeLast() }
                return word
            }.sorted()
        }
    }

    /// As readline calls the function that is set for the program.
    private static let bash = #"""
        for script in "$SCRIPTS"/*; do . "$script"; done
        alias l=livery
        complete -F _livery l
        while IFS= read -r -u 3 COMP_LINE; do
            COMP_POINT=${#COMP_LINE} COMPREPLY=()
            read -ra COMP_WORDS <<<"$COMP_LINE"
            [[ "$COMP_LINE" != *' ' ]] || COMP_WORDS+=('')
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            words="$(complete -p "${COMP_WORDS[0]}")" && [[ "$words" =~ -F\ ([^ ]+) ]]
            "${BASH_REMATCH[1]}" "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            ((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
            echo '<end>'
        done 3<<<"$CASES"
        """#

    /// In a terminal, which the line editor needs; each match is written to a file as it is added.
    private static let zsh = #"""
        export CAPTURED="$HOME/captured"
        zmodload zsh/zpty
        zpty child zsh -f -i
        zpty -w child "$(cat <<'SESSION'
        PS1=
        autoload -Uz compinit; compinit -u -D
        for script in "$SCRIPTS"/*; do source "$script"; done
        compadd() {
            if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
            local -a hits; builtin compadd -A hits "$@"
            ((${#hits})) && print -rl -- $hits >>"$CAPTURED"
            builtin compadd "$@"
        }
        report() { _main_complete; print -r -- "<<""done>>" }
        zle -C report complete-word report
        bindkey '^I' report
        print "<<""ready>>"
        SESSION
        )"
        zpty -r child line '*<<ready>>*'
        for each in "${(@f)CASES}"; do
            : >"$CAPTURED"
            zpty -n -w child "$each"$'\t'
            zpty -r child line '*<<done>>*'
            cat "$CAPTURED"
            print '<end>'
            # Ctrl-U removes the line.
            zpty -n -w child $'\x15'
        done
        zpty -d child
        """#

    private static let fish = #"""
        for script in "$SCRIPTS"/*; source "$script"; end
        for line in (string split \n -- "$CASES")
            complete -C "$line"
            echo '<end>'
        end
        """#
}
