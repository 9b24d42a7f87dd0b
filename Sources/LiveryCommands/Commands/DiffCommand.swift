// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire
import Files
import Programs

struct DiffCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare a JSON document with the namespace.",
        usage: "livery diff <file> [<options>]",
        discussion: """
            + marks a key that is only in the document, - a key that is only on the server, ~ a changed value, from \
            the server's to the document's. Schemas and rules are compared if the document has a member "schemas" or \
            "rules". The changes are those that `livery import --replace` would make. The exit code is 0 without \
            differences, 1 with differences, and higher after an error. A key of the document that cannot be stored is \
            reported on standard error and counts as a difference.

            EXAMPLES
              livery diff config.json && echo 'config.json is what is published'
              livery export -n test | livery diff - -n production

            As JSON: {"namespace": …, "revision": …, "same": …, "changes": [{"key": …, "old": …, "new": …}], \
            "schema_changes": [as changes], "rule_changes": [as changes], "left_out": [{"key": …, "code": …, \
            "message": …, "line": …, "column": …}]}; old is the server's value, new the document's, or null, and \
            left_out lists the first 100 keys that cannot be stored.
            """
    )

    @Argument(help: "The document, plain or exact; - for standard input.", completion: .file(extensions: ["json"]))
    var file: String

    @OptionGroup var moment: RevisionOption
    @OptionGroup var access: ServerOptions
    @OptionGroup var output: OutputOptions

    func run(in session: OperatorSession) async throws {
        let document = try InputFile.document(at: file)
        let leftOut = LeftOutKeys(of: document)
        leftOut.tell()
        let withSchemas = document.kinds.contains(.schema)
        let state = try await session.client.snapshot(at: moment.at, withSchemas: withSchemas)
        let present = NamespaceContents(of: state)
        let next = DocumentContents(of: document).applied(to: present, replacing: true)
        let diff = leftOut.without(ConfigDiff(from: present, to: next))
        let isSame = diff.isEmpty && leftOut.count == 0
        if session.style.isJSON {
            try session.writeResult { object in
                object.member("revision") { $0.number(state.cursor.revision) }
                object.member("same") { $0.boolean(isSame) }
                for kind in EntryKind.allCases { diff.write(kind, to: &object) }
                leftOut.writeMember(to: &object)
            }
        } else {
            try session.write(diff.lines(style: session.style))
        }
        if !isSame { throw ProgramFailure(.negative) }
    }
}
