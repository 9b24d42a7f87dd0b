// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Files
import RemoteConfig
import TerminalUI

/// The first steps where the file that the program follows does not exist: which file, and what to write in it.
struct FirstSteps: Hashable {
    /// The file as it was named.
    let path: String

    /// - Returns: `nil` unless the source is a file that does not exist.
    init?(_ status: SourceStatus) {
        guard let problem = status.problem else { return nil }
        self.init(problem, ofSource: status.source)
    }

    /// - Returns: `nil` unless the problem is that the file does not exist.
    init?(_ problem: ConfigError, ofSource source: String) {
        guard (problem.underlying as? FileError)?.isMissing == true else { return nil }
        path = problem.source ?? source
    }

    var command: String { ##"echo '{"app.background.color": "#87CEFA"}' > "## + path.quotedForShell }

    /// A sentence and a command to copy, in lines.
    func lines(columns: Int) -> [String] {
        ["\(path) does not exist. To create it, run in a shell:", command].flatMap {
            $0.sanitized().wrapped(toColumns: columns, maximumLines: 6)
        }
    }
}

extension String {
    /// The text as one word of a POSIX shell.
    fileprivate var quotedForShell: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): true
                default: "./_-+@%,:=".utf8.contains(byte)
                }
            }
        return isPlain ? self : "'" + replacing("'", with: #"'\''"#) + "'"
    }
}
