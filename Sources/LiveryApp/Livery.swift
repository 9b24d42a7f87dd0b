// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigDefinitions
import ConfigModel
import Essentials
import Files
import LiveryCommands
import LiveryScreens
import Programs
import RemoteConfig
import TerminalUI

struct Livery: LiveryCommand {
    static let configuration = CommandConfiguration(
        commandName: "livery",
        abstract: "Show a live configuration full-screen and follow its changes.",
        usage: "livery [<source>] [<options>]\nlivery <command> [<arguments>] [<options>]",
        discussion: """
            The screen reads its background colour, its button and its link from a JSON file, a JSON document at a \
            URL, or a Livery server, and updates as soon as a value changes. If the source is invalid, missing or \
            unreachable, the last good values stay in use, even after a restart, and the status line shows the error \
            and its location.

            If standard output is not a terminal, the values and the status are printed once as text.

            As JSON, with --json: {"is_up_to_date": …, "modified_at": …, "problems": [text, …], "settings": {…}, \
            "source": …, "state": …, "tweaks": [key, …], "values": {…}, "version": …}; settings are the values on the \
            screen, values are all values of the source.

            EXAMPLES
              Follow ./config.json, another file, a document at a URL, or a server
              (append /v1/NAME for a namespace other than 'default'):
                livery
                livery /etc/app.json
                livery https://example.com/config.json
                livery http://127.0.0.1:3000
              Print the status for a script; print each change on its own line, for
              screen readers; show the detected terminal features:
                livery --json | jq .settings
                livery --plain --follow
                livery doctor
              Change a value on a server, for all its clients:
                livery set app.background.color '#87CEFA'
              Change the colour, from a second terminal:
                sed -i.bak 's/#FFB6C1/#87CEFA/' config.json
              Show nine clients of one server side by side:
                livery wall 9 http://127.0.0.1:3000
              Show the demo, whose colour changes by itself:
                livery demo:
              Evaluate the rules of the keys for one user:
                livery http://127.0.0.1:3000 --context user=42 --context language=es

            ENVIRONMENT
            \(Self.variables([.source, .token, .server, .namespace]))
              http_proxy, https_proxy, no_proxy
                                the proxies, as for curl
              BROWSER           the browser that opens the button's URL, as a list
                                separated by colons; %s is replaced by the URL
              TERM              the terminal type, as in the terminfo database
              COLORTERM         truecolor or 24bit if the terminal has 24-bit colour
              NO_COLOR          if not empty, disables colours
            \(Self.variables([.noMotion]))

            FILES
              $XDG_CONFIG_HOME/livery/keys.json
                  custom key bindings, such as {"refresh": ["r", "F5"]}; the help on the
                  screen (?) lists the actions. A key that is bound here loses its
                  default action
              $XDG_CONFIG_HOME/livery/tweaks.json
                  the values set on the tweaks screen (t)
              $XDG_CONFIG_HOME/livery/sources.json
                  the recent sources, for the list of sources on the screen (S)
              $XDG_CONFIG_HOME/livery/imports.json
                  the recently imported files, for the import on the screen (I)
              $XDG_CONFIG_HOME/livery/credentials.json
                  the tokens stored by `livery login`
              $XDG_CACHE_HOME/livery
                  the last good values of each source

            SHELL COMPLETION
              livery --generate-completion-script bash|zsh|fish
                  print a script that completes commands, files and the server's keys

            \(ProgramExit.table)
            """,
        version: versionText,
        subcommands: [WallCommand.self, DefinitionsCommand.self, CommandList.doctor],
        groupedSubcommands: [CommandGroup(name: "Server", subcommands: CommandList.server)]
    )

    @OptionGroup var sourceOptions: SourceOptions

    @Option(
        help: ArgumentHelp(
            "Set the colour depth: auto, never, 8, 16, 256 or truecolor (default: auto).",
            valueName: "depth"
        ),
        completion: .list(ColorChoice.allCases.map(\.rawValue)),
        transform: ColorChoice.named
    )
    var color: ColorChoice?

    @Flag(help: "Switch colours at once, without fading.")
    var noMotion = false

    @Flag(help: "Print the values and the status once as JSON, without the full screen.")
    var json = false

    @Flag(help: "Print the values and the status once as text, without the full screen.")
    var plain = false

    @Flag(help: "With --plain, keep running and print each change on its own line, for screen readers and logs.")
    var follow = false

    func validate() throws {
        if json, plain { throw ValidationError("--json and --plain are mutually exclusive.") }
        if follow, !plain { throw ValidationError("--follow requires --plain.") }
        if color != nil, json || plain {
            throw ValidationError("--color applies to the full screen only; remove it, or --json and --plain.")
        }
    }

    /// Lines of the help.
    private static func variables(_ variables: [LiveryVariable]) -> String {
        let lines = variables.map { variable in
            let space = String(repeating: " ", count: max(1, 18 - variable.name.utf8.count))
            return "  \(variable.name)\(space)\(variable.summary ?? "")"
        }
        return lines.joined(separator: "\n")
    }

    func execute() async throws {
        let environment = Program.environment
        // Once: a token may come from a pipe.
        let place = try sourceOptions.sourcePlace(environment: environment)
        let sync = try sourceOptions.service(of: place, environment: environment)
        let warnings = CacheWarnings(of: sync)
        warnings.report()
        defer { warnings.report() }

        var tweaks: FileStore { FileStore(path: FileStore.tweaksPath(environment: environment)) }
        if follow { return try await Announcer(sync: sync, warnings: warnings).run() }
        if json || plain || !Output.standard.isTerminal {
            return try await PlainReport(after: sync, tweaks: tweaks).print(asJSON: json)
        }
        try sourceOptions.refuse(place, at: FileStore.tweaksPath(environment: environment))
        let keys = UserKeys.usable(environment: environment)
        do {
            let profile = TerminalProfile(choice: color ?? .auto, environment: environment)
            let driver = try CursesDriver(profile: profile)
            var app = DemoApp(driver: driver, sync: sync, keys: keys, environment: environment)
            app.source = try place.sourceOperator()
            app.directory = sourceOptions.directory(environment: environment)
            app.hasMotion = !noMotion && LiveryVariable.noMotion.value(in: environment) == nil
            let signal = try await app.run()
            warnings.report()
            if let signal { endProcess(by: signal) }
        } catch let error as TerminalError {
            Output.error.writeLine("livery: \(error); showing plain text instead")
            try await PlainReport(after: sync, tweaks: tweaks).print(asJSON: false)
        }
    }
}

extension Livery {
    /// The output of `--version`, which distinguishes an unoptimized build, such as that of `Scripts/demo`, from a release.
    static let versionText: String = {
        var isOptimized = true
        // Optimized code does not evaluate this condition.
        assert(
            {
                isOptimized = false
                return true
            }()
        )
        return SemanticVersion.livery.description + (isOptimized ? "" : " (unoptimized build)")
    }()
}
