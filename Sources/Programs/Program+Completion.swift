// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

extension Program {
    /// The answer to a shell: the script of `--generate-completion-script`, or the words that fit a command line.
    ///
    /// - Parameter arguments: the command line, without the program's name.
    /// - Returns: `nil` if the command line is neither, or names a shell without a script, which the parser reports.
    package func answerToShell(_ arguments: [String]) -> String? {
        if arguments.first == CompletionScript.request { return completions(Array(arguments.dropFirst())) }
        let option = "--generate-completion-script"
        let words = arguments.prefix { $0 != "--" }
        guard let index = words.firstIndex(where: { $0 == option || $0.hasPrefix("\(option)=") }) else { return nil }
        let isApart = words[index] == option
        let name = isApart ? words[(index + 1)...].first : String(words[index].dropFirst(option.count + 1))
        let shell = name.map(CompletionShell.init(rawValue:)) ?? CompletionShell.autodetected()
        guard let shell else { return nil }
        return CompletionScript.text(for: shell, program: root._commandName) + "\n"
    }

    /// The answer to a script, in the form that ``CompletionScript`` describes.
    private func completions(_ words: [String]) -> String {
        guard let description = CommandDescription(dump: root._dumpHelp()) else { return "" }
        switch CompletionRequest(words, root: description).answer() {
        case .files(let extensions): return (["files"] + extensions).joined(separator: " ") + "\n"
        case .words(let candidates): return Self.lines(candidates)
        case .computed(let request, let prefix, let commands):
            let values = computed(request).map { CompletionRequest.Candidate(word: prefix + $0) }
            return Self.lines(commands + values.filter { $0.word.utf8.starts(with: (words.last ?? "").utf8) })
        }
    }

    /// The values that the parser obtains from an argument; it returns them as an error.
    private func computed(_ request: [String]) -> [String] {
        do {
            _ = try root.parseAsRoot(request)
            return []
        } catch {
            guard root.exitCode(for: error) == .success else { return [] }
            return root.fullMessage(for: error).split(separator: "\n").map(String.init)
        }
    }

    private static func lines(_ candidates: [CompletionRequest.Candidate]) -> String {
        let lines = candidates.map { "\($0.word)\t\($0.summary.replacing("\n", with: " "))\n" }
        return "words\n" + lines.joined()
    }
}
