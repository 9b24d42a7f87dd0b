// SPDX-License-Identifier: Apache-2.0

internal import Essentials
internal import Files

/// The name that distinguishes this program from others of the same user.
enum ProgramIdentity {
    /// The bundle identifier; without one, the path of the executable, links resolved.
    ///
    /// A name alone does not suffice: many programs are called `server` or `app`.
    static let current = bundleIdentifier ?? executable

    private static var bundleIdentifier: String? {
        #if os(Linux)
            nil
        #else
            Bundle.main.bundleIdentifier
        #endif
    }

    private static var executable: String {
        #if os(Linux)
            // Linux adds this once the file has been replaced.
            let replaced = " (deleted)"
            if let path = "/proc/self/exe".linkTarget {
                return path.hasSuffix(replaced) ? String(path.dropLast(replaced.count)) : path
            }
        #endif
        return AbsolutePath(CommandLine.arguments.first ?? "").text.resolvingLinks()
    }
}
