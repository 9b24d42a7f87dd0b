// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser

/// The commands of this module, as the help lists them.
package enum CommandList {
    /// The commands that send requests to a server.
    package static let server: [any ParsableCommand.Type] = [
        GetCommand.self, SetCommand.self, UnsetCommand.self, ListCommand<ValueFamily>.self, NamespacesCommand.self,
        WatchCommand.self, HistoryCommand.self, RollbackCommand.self, RestoreCommand.self, ImportCommand.self,
        ExportCommand.self, DiffCommand.self, ExplainCommand.self, RuleCommand.self, RolloutCommand.self,
        SchemaCommand.self, DraftCommand.self, PolicyCommand.self, LoginCommand.self, LogoutCommand.self,
    ]

    /// The one that reports on the terminal.
    package static let doctor: any ParsableCommand.Type = DoctorCommand.self

    /// The command line as the parser reads it, which takes a negative number for an option, and has no options whose value may be missing.
    package static func joined(_ arguments: [String]) -> [String] { SetCommand.joined(DraftOption.joined(arguments)) }
}
