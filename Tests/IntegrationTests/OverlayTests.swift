// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// Files on a file system that does not report every change.
    ///
    /// An overlay shows a lower folder, and receives no events of writes there.
    @Suite(.timeLimit(.minutes(5)))
    struct OverlayTests {
        /// Mounts an overlay of `lower` at `merged`, in a mount namespace that ends with the program.
        private static func mounted(_ script: String, in folder: TemporaryDirectory) -> Command {
            // An overlay cannot be the upper folder of another, as in a container; memory always can.
            let script = """
                mount -t tmpfs tmpfs memory && mkdir memory/upper memory/work &&
                mount -t overlay overlay -o lowerdir=lower,upperdir=memory/upper,workdir=memory/work merged &&
                \(script)
                """
            return Command("unshare", ["-m", "sh", "-c", script], workingDirectory: folder.path)
        }

        private static func folders() throws -> TemporaryDirectory {
            let folder = try TemporaryDirectory(prefix: "overlay")
            for name in ["memory", "merged"] {
                try FileManager.default.createDirectory(
                    atPath: folder[name],
                    withIntermediateDirectories: true
                )
            }
            try folder.write(RunningDemo.pink, to: "lower/config.json")
            return folder
        }

        static let canMount: Bool = {
            guard let folder = try? folders() else { return false }
            return (try? mounted("cat merged/config.json", in: folder).run().status) == .exited(0)
        }()

        @Test(.enabled(if: canMount, "mounting an overlay needs root, and a kernel that has it"))
        func lowerLayerChangeIsFoundByPolling() throws {
            let folder = try Self.folders()
            let livery = try builtProduct(named: "livery")
            let command = "exec \(livery) --plain --follow merged/config.json"
            let running = try RunningCommand(Self.mounted(command, in: folder))
            let said = { running.standardOutput + running.standardError }
            try until("it follows", lastState: said()) {
                running.standardOutput.contains("polling")
            }
            try Data(RunningDemo.sky.utf8).write(to: URL(filePath: folder["lower/config.json"]))
            try until("the change is printed", lastState: running.standardOutput) {
                running.standardOutput.contains("changed from \"#FFB6C1\" to \"#87CEFA\"")
            }
        }
    }
#endif
