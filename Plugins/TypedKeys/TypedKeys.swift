// SPDX-License-Identifier: Apache-2.0

import PackagePlugin

/// Writes definitions for each file `NAME.schemas.json` of a target, before the target is compiled.
@main
struct TypedKeys: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target.sourceModule else { return [] }
        let tool = try context.tool(named: "SchemaSwiftTool").url
        return target.sourceFiles.map(\.url).filter { $0.lastPathComponent.hasSuffix(".schemas.json") }.map { file in
            let name = file.deletingPathExtension().deletingPathExtension().lastPathComponent
            let output = context.pluginWorkDirectoryURL.appending(path: "\(name).swift")
            return .buildCommand(
                displayName: "Writing the definitions of \(file.lastPathComponent)",
                executable: tool,
                arguments: [file.path(), output.path()],
                inputFiles: [file],
                outputFiles: [output]
            )
        }
    }
}
