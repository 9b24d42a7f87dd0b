// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Files
import RemoteConfig
import TerminalUI

/// The next step after a problem of the source that a command solves: a missing file, or a missing token.
struct FirstSteps: Hashable {
    /// The problem, and how to solve it.
    let sentence: String
    /// The command, to copy into a shell.
    let command: String

    /// A first configuration.
    static let document = ##"{"app.background.color": "#87CEFA"}"##

    /// - Returns: `nil` unless a command solves the problem of the source.
    init?(_ status: SourceStatus) {
        guard let problem = status.problem else { return nil }
        self.init(problem, ofSource: status.source)
    }

    /// - Returns: `nil` unless a command solves the problem.
    init?(_ problem: ConfigError, ofSource source: String) {
        let source = problem.source ?? source
        if (problem.underlying as? FileError)?.isMissing == true {
            sentence = "\(source) does not exist. To create it, run:"
            command = "echo '\(Self.document)' > " + source.quotedForShell
        } else if problem.code == .unauthorized {
            sentence = "\(source) requires a token: set LIVERY_TOKEN, pass --token-file, or store one for a server:"
            command = "livery login --server " + source.quotedForShell
        } else {
            return nil
        }
    }

    /// The sentence and the command, in lines.
    func lines(columns: Int) -> [String] {
        [sentence, command].flatMap { $0.sanitized().wrapped(toColumns: columns, maximumLines: 6) }
    }
}

extension String {
    /// The text as one quoted word of a POSIX shell.
    fileprivate var quotedForShell: String {
        let isPlain = unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9": true
            default: "./_-+@%,:=".unicodeScalars.contains(scalar)
            }
        }
        return isPlain && !isEmpty ? self : "'" + replacing("'", with: #"'\''"#) + "'"
    }
}
