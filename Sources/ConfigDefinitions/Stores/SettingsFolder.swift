internal import Foundation

/// The folder of the user's settings for Livery: `$XDG_CONFIG_HOME/livery`, with `~/.config` where the variable is unset,
/// empty or no absolute path, as the XDG Base Directory Specification has it.
package enum SettingsFolder {
    /// The path of one of its files.
    ///
    /// - Parameter environment: the program's environment.
    package static func path(to name: String, environment: [String: String]) -> String {
        let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
        return (folder ?? home + "/.config") + "/livery/" + name
    }
}

extension FileStore {
    /// The path of the file that tweaks are kept in: `$XDG_CONFIG_HOME/livery/tweaks.json`, with `~/.config` where the
    /// variable is unset, empty or no absolute path, as the XDG Base Directory Specification has it.
    ///
    /// - Parameter environment: the program's environment.
    public static func tweaksPath(environment: [String: String]) -> String {
        SettingsFolder.path(to: "tweaks.json", environment: environment)
    }
}
