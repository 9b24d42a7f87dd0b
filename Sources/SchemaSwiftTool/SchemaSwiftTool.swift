// SPDX-License-Identifier: Apache-2.0

import Files
import SchemaSwift

/// Writes definitions for the plugin: `SchemaSwiftTool SCHEMAS OUTPUT`.
@main
enum SchemaSwiftTool {
    static func main() throws {
        let arguments = CommandLine.arguments
        let (input, output) = (arguments[1], arguments[2])
        let json = try FileContent.bytes(at: input, atMost: 1 << 28)
        let definitions = try SwiftDefinitions(json: json, source: input)
        // The form that a build shows with the place.
        for problem in definitions.problems { print("\(input):1: warning: \(problem)") }
        try AtomicFile(path: output).replace(with: Array(definitions.text.utf8))
    }
}
