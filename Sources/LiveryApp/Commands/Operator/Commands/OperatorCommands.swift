import ArgumentParser

/// The commands that ask something of a server.
enum OperatorCommands {
    static let all: [any ParsableCommand.Type] = [
        GetCommand.self, SetCommand.self, UnsetCommand.self, ListCommand.self, WatchCommand.self, HistoryCommand.self,
        RollbackCommand.self, ImportCommand.self, ExportCommand.self, DiffCommand.self,
        LoginCommand.self, LogoutCommand.self,
    ]
}
