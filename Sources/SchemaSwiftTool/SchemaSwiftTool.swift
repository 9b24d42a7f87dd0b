// SPDX-License-Identifier: Apache-2.0

import CLibrary
import Files
import SchemaSwift

/// Writes definitions for the plugin, or checks the existing ones: `SchemaSwiftTool SCHEMAS OUTPUT [SWIFT]`.
@main
enum SchemaSwiftTool {
    static func main() {
        do {
            try run(CommandLine.arguments)
        } catch {
            print("error: \(error)")
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) throws {
        let (input, output) = (arguments[1], arguments[2])
        let json = try FileContent.bytes(at: input, atMost: 1 << 28)
        guard arguments.count == 4 else {
            let definitions = try SwiftDefinitions(json: json, source: input)
            // The form that a build shows with the place.
            for problem in definitions.problems { print("\(input):1: warning: \(problem)") }
            return try write(definitions.text, to: output)
        }
        let file = String(decoding: try FileContent.bytes(at: arguments[3], atMost: 1 << 28), as: UTF8.self)
        let stale = try SwiftDefinitions(json: json, source: input, like: file).staleKeys(in: file)
        for key in stale {
            print("\(arguments[3]):1: error: \(key): the definition is stale; write it with `livery schema swift`")
        }
        if !stale.isEmpty { exit(1) }
        try write("// The definitions are those of the schemas.\n", to: output)
    }

    private static func write(_ text: String, to path: String) throws {
        try AtomicFile(path: path).replace(with: Array(text.utf8))
    }
}
