#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The folders that a user's programs keep their files in, as the XDG Base Directory Specification has them.
package enum UserFolder {
    /// Settings: `$XDG_CONFIG_HOME/livery`, or `~/.config/livery`.
    case settings
    /// What can be made anew: `$XDG_CACHE_HOME/livery`, or `~/.cache/livery`.
    case caches

    private var names: (variable: String, standard: String) {
        switch self {
        case .settings: ("XDG_CONFIG_HOME", ".config")
        case .caches: ("XDG_CACHE_HOME", ".cache")
        }
    }

    /// The folder's path; `nil` if the environment names no such place.
    ///
    /// A variable that is unset, empty or no absolute path does not count.
    ///
    /// - Parameter environment: the program's environment.
    package func path(environment: [String: String]) -> String? {
        if let base = Self.absolutePath(names.variable, environment) { return base + "/livery" }
        return Self.absolutePath("HOME", environment).map { "\($0)/\(names.standard)/livery" }
    }

    /// The path of one of its files. Without a home in the environment, it is in the user's home of record.
    package func path(to name: String, environment: [String: String]) -> String {
        let home = getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? ""
        let folder = path(environment: environment) ?? "\(home)/\(names.standard)/livery"
        return folder + "/" + name
    }

    private static func absolutePath(_ variable: String, _ environment: [String: String]) -> String? {
        environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
