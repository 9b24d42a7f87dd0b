// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import TestSupport
    import Testing

    /// Programs that cannot read their own arguments.
    @Suite(.timeLimit(.minutes(5)), .enabled(if: canMount, "hiding /proc takes root"))
    struct ArgumentTests {
        /// Without arguments the server needs no tokens, and the client starts its demo.
        @Test(arguments: ["livery-server", "livery"])
        func unreadableArgumentsEndTheProgram(name: String) async throws {
            try await onDedicatedThread {
                let hide = #"mount -t tmpfs tmpfs /proc && exec "$@""#
                let words = ["--mount", "/bin/sh", "-c", hide, "sh", try builtProduct(named: name), "--version"]
                let folder = try TemporaryDirectory()
                let command = Command("/usr/bin/unshare", words, workingDirectory: folder.path)
                let output = try command.run(deadline: .seconds(60))
                #expect(output.status == .exited(64) && output.standardOutput.isEmpty, "\(output)")
                #expect(output.standardError.contains("cannot read the arguments of this process"))
            }
        }
    }
#endif
