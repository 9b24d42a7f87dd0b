// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The manual that `Scripts/manual` writes, beside `--help`: a page for each command, with the same options and text.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct ManualTests {
    @Test(arguments: [("livery", 1), ("livery-server", 8)])
    func manualMatchesTheHelp(name: String, section: Int) throws {
        let program = try builtProduct(named: name)
        let folder = try TemporaryDirectory(prefix: "manual")
        try Self.write(program, folder.path)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains("/") }
        let commands = try Self.commands(program)
        var expected = Set(commands.map { "man\(section)/\($0.joined(separator: "-")).\(section)" })
        if section == 1 { expected.insert("man5/livery.json.5") }
        #expect(Set(files) == expected)
        for words in commands {
            let page = try folder.read("man\(section)/\(words.joined(separator: "-")).\(section)")
            var help = try Self.help(program, words)
            // The program's own page has what counts where no command is named.
            if let name = help.defaultCommand { help.options.formUnion(try Self.help(program, words + [name]).options) }
            Self.compare(Page(String(decoding: page, as: UTF8.self)), help, words.joined(separator: " "))
        }
        if section == 1 {
            let document = String(decoding: try folder.read("man5/livery.json.5"), as: UTF8.self)
            #expect(document.hasPrefix(#".TH "LIVERY.JSON" "5" "2026-01-01" "Livery "#))
            #expect(!document.contains("@"))
        }
        try Self.lint(files.map { folder[$0] })
    }

    private static func help(_ program: String, _ words: [String]) throws -> Help {
        let asked = Command(program, words.dropFirst() + ["--help"])
        return Help(try asked.run().standardOutput)
    }

    private static func compare(_ page: Page, _ help: Help, _ command: String) {
        #expect(page.source.contains(" 2026-01-01 "))
        #expect(page.source.utf8.allSatisfy { $0 < 0x80 })
        let missingHeadings = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SEE ALSO"].filter {
            !page.lines.contains(".SH \($0)")
        }
        #expect(missingHeadings.isEmpty, "\(command)")
        #expect(page.options == help.options, "\(command)")
        #expect(help.options.contains("--help"), "\(command)")
        #expect(help.repeatedOptions.isEmpty, "\(command)")
        #expect(!help.text.isEmpty, "\(command)")
        let missingText = help.text.filter { !page.words.contains(collapsed($0)) }
        #expect(missingText.isEmpty, "\(command)")
        let missingHeads = help.headings.filter { !page.lines.contains(".SH \($0)") }
        #expect(missingHeads.isEmpty, "\(command)")
        let missingExamples = help.examples.filter { !page.lines.contains($0) }
        #expect(missingExamples.isEmpty, "\(command)")
    }

    private static func write(_ program: String, _ folder: String) throws {
        let environment = Command.environment(adding: ["SOURCE_DATE_EPOCH": "1767225600"])
        let script = Command(sourceFile("Scripts/manual").path, [program, folder], environment: environment)
        let written = try script.run(deadline: .seconds(120))
        try #require(written.status.isSuccess, "\(written)")
    }

    /// Checks the pages with a formatter, if there is one.
    private static func lint(_ files: [String]) throws {
        let mandoc = Command("mandoc", ["-T", "lint", "-W", "warning"] + files)
        guard mandoc.executablePath != nil else { return }
        let result = try mandoc.run()
        #expect(result.standardOutput.isEmpty)
        #expect(result.status.isSuccess)
    }

    /// The words that call each command of a program.
    private static func commands(_ program: String) throws -> [[String]] {
        let dump = try Command(program, ["--experimental-dump-help"]).run().standardOutput
        func all(_ command: [String: Any], below parents: [String]) -> [[String]] {
            guard let name = command["commandName"] as? String, name != "help" else { return [] }
            let children = command["subcommands"] as? [[String: Any]] ?? []
            return [parents + [name]] + children.flatMap { all($0, below: parents + [name]) }
        }
        return try all(jsonMembers(dump)["command"] as? [String: Any] ?? [:], below: [])
    }

    /// Words as they are compared: how they are set apart, and marked as code, differs.
    fileprivate static func collapsed(_ text: String) -> String {
        text.replacing("`", with: "").split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    }

    fileprivate static func options(in lines: [String]) -> [String] {
        lines.flatMap { line in line.matches(of: /(?:^|[ ,])(--?[a-zA-Z][a-z-]*)/).map { String($0.output.1) } }
    }
}

/// A page of the manual.
private struct Page {
    let source: String
    /// Its lines without escapes.
    let lines: [String]
    /// All that a reader sees.
    let words: String

    init(_ source: String) {
        self.source = source
        let signs = [
            (#"\fB"#, ""), (#"\fI"#, ""), (#"\fR"#, ""), (#"\&"#, ""), (#"\-"#, "-"), (#"\(aq"#, "'"),
            (#"\(ga"#, "`"), (#"\(ha"#, "^"), (#"\(ti"#, "~"), (#"\e"#, "\\"),
        ]
        let text = signs.reduce(source) { $0.replacing($1.0, with: $1.1) }.replacing(/\\\[u([0-9A-F]+)\]/) { match in
            UInt32(match.output.1, radix: 16).flatMap(Unicode.Scalar.init).map(String.init) ?? ""
        }
        lines = text.split(separator: "\n").map(String.init)
        words = ManualTests.collapsed(lines.filter { !$0.hasPrefix(".") }.joined(separator: " "))
    }

    var options: Set<String> {
        let tags = zip(lines, lines.dropFirst()).filter { $0.0 == ".TP" && $0.1.hasPrefix("-") }.map(\.1)
        return Set(ManualTests.options(in: tags))
    }
}

/// The output of `--help`.
private struct Help {
    /// The description of the command.
    let text: [String]
    let headings: [String]
    /// The command lines of the examples.
    let examples: [String]
    var options: Set<String>
    /// Names that two options have, which the parser of arguments notices only in builds for debuggers.
    let repeatedOptions: [String]
    let defaultCommand: String?

    init(_ help: String) {
        let parts = help.components(separatedBy: "\nUSAGE: ")
        let isHeading = { (line: String) in line.wholeMatch(of: /[A-Z][A-Z ]+/) != nil }
        let lines = parts[0].replacing("OVERVIEW: ", with: "").split(separator: "\n").map(String.init)
        text = lines.filter { !isHeading($0) }
        headings = lines.filter(isHeading)
        let shown = lines.drop { !$0.hasPrefix("EXAMPLE") }.dropFirst().prefix { $0.hasPrefix("  ") }
        // Sentences stand between them, if one does.
        let margin = shown.contains { $0.hasSuffix(":") } ? "    " : "  "
        examples = shown.filter { $0.hasPrefix(margin) }.map { String($0.dropFirst(margin.count)) }
        let listed = help.components(separatedBy: "\nOPTIONS:\n").dropFirst().joined().split(separator: "\n")
        let names = ManualTests.options(in: listed.filter { $0.hasPrefix("  -") }.map { String($0.prefix(26)) })
        options = Set(names)
        repeatedOptions = options.filter { name in names.count { $0 == name } > 1 }
        defaultCommand = help.firstMatch(of: /\n  ([a-z-]+) \(default\)/).map { String($0.output.1) }
    }
}
