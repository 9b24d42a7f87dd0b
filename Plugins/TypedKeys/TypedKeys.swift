// SPDX-License-Identifier: Apache-2.0

import PackagePlugin

/// Writes definitions for each file `NAME.schemas.json` of a target, before the target is compiled. Where the target has a
/// file `NAME.swift` with definitions, checks that it is not stale.
@main
struct TypedKeys: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target.sourceModule else { return [] }
        let tool = try context.tool(named: "SchemaSwiftTool").url
        let files = target.sourceFiles.map(\.url)
        return files.filter { $0.lastPathComponent.hasSuffix(".schemas.json") }.map { schemas in
            let name = schemas.deletingPathExtension().deletingPathExtension().lastPathComponent
            let written = files.filter { $0.lastPathComponent == "\(name).swift" }
            let (verb, suffix) = written.isEmpty ? ("Writing", "") : ("Checking", "-check")
            let output = context.pluginWorkDirectoryURL.appending(path: "\(name)\(suffix).swift")
            return .buildCommand(
                displayName: "\(verb) the definitions of \(schemas.lastPathComponent)",
                executable: tool,
                arguments: ([schemas, output] + written).map { $0.path(percentEncoded: false) },
                inputFiles: [schemas] + written,
                outputFiles: [output]
            )
        }
    }
}
