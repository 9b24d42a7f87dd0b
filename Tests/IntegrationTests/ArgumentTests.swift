// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import ConfigModel
    import Files
    import TestSupport
    import Testing

    /// Programs that cannot read their own arguments.
    @Suite(.dedicatedThread, .timeLimit(.minutes(5)), .enabled(if: canMount, "hiding /proc takes root"))
    struct ArgumentTests {
        /// Without arguments the server needs no tokens, and the client starts its demo.
        @Test(arguments: ["livery-server", "livery"])
        func unreadableArgumentsEndTheProgram(name: String) throws {
            let hide = #"mount -t tmpfs tmpfs /proc && exec "$@""#
            let words = ["--mount", "/bin/sh", "-c", hide, "sh", try builtProduct(named: name), "--version"]
            let folder = try TemporaryDirectory()
            let command = Command("/usr/bin/unshare", words, workingDirectory: folder.path)
            let output = try command.run()
            #expect(output.status == .exited(64) && output.standardOutput.isEmpty, "\(output)")
            #expect(output.standardError.contains("cannot read the arguments of this process"))
        }
    }

    /// Libraries of `LD_PRELOAD` that move the environment, as libfaketime does: the runtime finds the arguments by it.
    @Suite(.dedicatedThread, .timeLimit(.minutes(5)), .enabled(if: Command.isInstalled("clang"), "It compiles C"))
    struct PreloadedLibraryTests {
        private static let library = """
            #include <stdlib.h>
            #include <string.h>
            extern char **environ;
            __attribute__((constructor)) static void move(void) {
                static char *moved[1000];
                for (int i = 0; environ[i] && i < 999; i++) moved[i] = strdup(environ[i]);
                environ = moved;
            }
            """

        @Test(arguments: TemporaryDirectory.names)
        func argumentsAreThoseOfTheCommandLine(name: String) throws {
            let folder = try TemporaryDirectory()
            try folder.overwrite(Self.library, at: "move.c")
            let compile = ["-shared", "-fPIC", "-o", "move.so", "move.c"]
            #expect(try Command("clang", compile, workingDirectory: folder.path).run().status.isSuccess)
            let environment = Command.environment(adding: ["LD_PRELOAD": folder["move.so"]])
            func output(_ program: String, _ arguments: [String]) throws -> Command.Output {
                let path = try builtProduct(named: program)
                return try Command(path, arguments, environment: environment, workingDirectory: folder.path).run()
            }
            try folder.overwrite(#"{"k":"this"}"#, at: name)
            let shown = try output("livery", ["--plain", name])
            #expect(shown.status.isSuccess && shown.standardOutput.contains(#"k = "this""#), "\(shown)")
            let made = try output("livery-server", ["token", "create", "ci", "--token-file", name + ".tokens"])
            #expect(made.status.isSuccess && FileState(path: folder[name + ".tokens"]) != nil, "\(made)")
            let wrong = try output("livery", ["get", "", "--server", "http://127.0.0.1:1"])
            #expect(wrong.status == .exited(65), "an empty argument is one: \(wrong)")
        }
    }

    /// Arguments are bytes.
    @Suite(.dedicatedThread, .timeLimit(.minutes(5)))
    struct ByteArgumentTests {
        @Test(arguments: TemporaryDirectory.names)
        func pathsNeedNotBeUTF8(name: String) throws {
            let folder = try TemporaryDirectory()
            for other in TemporaryDirectory.names {
                try folder.overwrite(name.pathBytes == other.pathBytes ? #"{"k":"this"}"# : "{}", at: other)
            }
            let livery = try builtProduct(named: "livery")
            let shown = try Command(livery, [name, "--plain"], workingDirectory: folder.path).run()
            #expect(shown.status.isSuccess && shown.standardOutput.contains(#"k = "this""#), "\(shown)")
            let server = try builtProduct(named: "livery-server")
            let arguments = ["token", "create", "ci", "--token-file", name + ".tokens"]
            let made = try Command(server, arguments, workingDirectory: folder.path).run()
            #expect(made.status.isSuccess && FileState(path: folder[name + ".tokens"]) != nil, "\(made)")
        }

        @Test(arguments: ["XDG_CONFIG_HOME", "HOME"]) func userFoldersNeedNotBeUTF8(variable: String) throws {
            let (folder, name) = (try TemporaryDirectory(), String(pathBytes: [0x61, 0xFF, 0xE2, 0x28]))
            let settings = name + (variable == "HOME" ? "/.config/livery" : "/livery")
            try SystemDisk().makeFolder(folder[settings])
            try folder.overwrite("damaged", at: settings + "/credentials.json")
            let run = #"\#(variable)="$PWD/$(printf 'a\377\342(')" && export \#(variable) && exec "$@""#
            let clean = ["-u", "XDG_CONFIG_HOME", "/bin/sh", "-c", run, "sh", try builtProduct(named: "livery")]
            let get = ["get", "k", "--server", "http://127.0.0.1:1"]
            let output = try Command("/usr/bin/env", clean + get, workingDirectory: folder.path).run()
            #expect(output.standardError.contains("credentials.json"), "\(output)")
        }

        @Test func variablesNeedNotBeUTF8() throws {
            let (folder, name) = (try TemporaryDirectory(), String(pathBytes: [0x66, 0xFC, 0x72]))
            try folder.overwrite(#"{"k":"this"}"#, at: name)
            let run = #"export "$1=$(printf 'f\374r')" && shift && exec "$@""#
            func output(_ variable: String, _ words: [String]) throws -> Command.Output {
                let all = ["-c", run, "sh", variable] + words
                return try Command("/bin/sh", all, workingDirectory: folder.path).run()
            }
            let shown = try output("LIVERY_SOURCE", [try builtProduct(named: "livery"), "--plain"])
            #expect(shown.status.isSuccess && shown.standardOutput.contains(#"k = "this""#), "\(shown)")
            let serve = [try builtProduct(named: "livery-server"), "--address", "127.0.0.1:0"]
            let refused = try output("LIVERY_TOKEN_FILE", serve)
            #expect(refused.status == .exited(77) && !refused.standardError.contains("No such file"), "\(refused)")
        }

        @Test func textsMustBeUTF8() throws {
            let text = String(pathBytes: [0x61, 0xFF])
            let commands = [
                ["set", "k", text], ["set", "k", "1", "-m", text], ["get", "k", "--context", "a=\(text)"],
            ]
            for arguments in commands {
                let output = try Command(try builtProduct(named: "livery"), arguments).run()
                #expect(output.status == .exited(64), "\(output)")
            }
        }
    }
#endif
