// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import Files
import TerminalUI

extension LeftOutKeys {
    /// Prints them on standard error.
    func tell() {
        for line in lines { Output.error.writeLine(line.sanitized()) }
    }

    /// - Throws: `rejected` if there is one, since a key that is left out is not one to remove.
    func refuseReplacement(from source: String) throws(ConfigError) {
        if count == 0 { return }
        let what = count.grouped(of: "key")
        let reason = "--replace would remove \(what) of the document that cannot be stored"
        throw ConfigError(.rejected, "\(reason); correct them, or omit --replace", source: source)
    }

    /// Writes `"left_out": [{"key": …, "code": …, "message": …, "line": …, "column": …}]`.
    func writeMember(to json: inout JSONWriter) {
        json.member("left_out", each: problems) { problem, array in
            array.object { object in
                object.member("key") { $0.optional(problem.key) { $0.string($1) } }
                object.member("code") { $0.string(problem.code.rawValue) }
                object.member("message") { $0.string(problem.message) }
                object.member("line") { $0.optional(problem.location) { $0.number($1.line) } }
                object.member("column") { $0.optional(problem.location) { $0.number($1.column) } }
            }
        }
    }
}
