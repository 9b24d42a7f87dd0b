// SPDX-License-Identifier: Apache-2.0

import Programs
import Testing

@testable import LiveryApp

/// The words that the program returns to the shells' scripts.
struct CompletionTests {
    private static func words(_ line: String...) -> [String] {
        let answer = Livery.program.answerToShell(["---complete"] + line) ?? ""
        return answer.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }

    @Test func commandsGoFirst() {
        #expect(Self.words("s") == ["words", "set", "schema"])
        #expect(Self.words("help", "schema", "") == ["words", "list", "show", "set", "unset", "check", "swift"])
        #expect(Self.words("--plain", "s") == ["files"])
        #expect(Self.words("--", "s") == ["files"])
        #expect(Self.words("config.json", "s") == ["words"])
    }

    @Test func sourcesAreFiles() {
        for word in ["./", "~/x", "/etc/s", "configuration"] { #expect(Self.words(word) == ["files"], "\(word)") }
        #expect(Self.words("import", "s") == ["files json"])
    }

    @Test func unusedOptionsOfTheCommandAreCompleted() {
        #expect(Self.words("rule", "--") == ["words", "--version", "--help"])
        #expect(Self.words("get", "--co") == ["words", "--context"])
        #expect(Self.words("get", "--context", "a=1", "--co") == ["words", "--context"])
        #expect(Self.words("get", "--namespace", "a", "--name") == ["words"])
        #expect(Self.words("get", "-n", "a", "--name") == ["words"])
        #expect(Self.words("get", "--at", "--name") == ["words"])
        #expect(Self.words("get", "--", "--name") == ["words"])
        #expect(Self.words("rollout", "--ov") == ["words", "--overwrite"])
        #expect(Self.words("rollout", "finish", "--ov") == ["words"])
    }

    @Test func valuesOfOptionsAreCompletedInBothForms() {
        #expect(Self.words("set", "--type", "b") == ["words", "boolean"])
        #expect(Self.words("set", "--type=b") == ["words", "--type=boolean"])
        #expect(Self.words("doctor", "--color", "1") == ["words", "16"])
        #expect(Self.words("set", "--token-file=x") == ["files"])
    }
}
