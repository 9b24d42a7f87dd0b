// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A file of this package's sources.
///
/// - Parameter path: the path below the folder of the package.
package func sourceFile(_ path: String) -> URL {
    URL(filePath: #filePath).appending(path: "../../../../\(path)").standardized
}

/// The path of one of this package's executables, built with the tests or the benchmark that runs now.
///
/// - Parameter name: The name of the executable product.
/// - Throws: ``FixtureError`` that names the folders.
package func builtProduct(named name: String) throws -> String {
    let folders = buildFolders()
    for folder in folders {
        let path = folder + "/" + name
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        if exists, !isFolder.boolValue, FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw FixtureError(
        """
        There is no executable `\(name)` in \(folders.joined(separator: ", ")). \
        Build it with `swift build --product \(name)`, or let the test target depend on it.
        """
    )
}

/// The folders that may contain the products: those of the test bundle and of the running program.
///
/// On macOS the program is a helper of the toolchain, and the bundle is one of its arguments.
private func buildFolders() -> [String] {
    #if os(Linux)
        let program = "/proc/self/exe"
    #else
        let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
    #endif
    let paths = CommandLine.arguments.filter { $0.contains(".xctest") } + [program]
    var folders: [String] = []
    for path in paths {
        var url = URL(filePath: path).resolvingSymlinksInPath()
        if let bundle = url.pathComponents.firstIndex(where: { $0.hasSuffix(".xctest") }) {
            for _ in bundle..<url.pathComponents.count - 1 { url.deleteLastPathComponent() }
        }
        let folder = url.deletingLastPathComponent().path(percentEncoded: false)
        let trimmed = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        if !folders.contains(trimmed) { folders.append(trimmed) }
    }
    return folders
}
