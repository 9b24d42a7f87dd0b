import ArgumentParser
import ConfigModel
import Configuration
import Foundation
import RemoteConfig
import TerminalUI

/// The program.
struct Livery: LiveryCommand {
    static let configuration = CommandConfiguration(
        commandName: "livery",
        abstract: "Show a live configuration as a full screen that recolours when it changes.",
        discussion: """
            The screen takes its colour, its button and its link from a JSON file, a document on any web host, or a \
            Livery server, and follows it: change a value, and the screen changes at once. A source that is broken, \
            missing or out of reach costs nothing: the last good values stay, over a new start as well, and the \
            bottom line says what is wrong and where.

            Without a terminal on standard output the same facts are printed once as text.

            EXAMPLES
              livery                              follow ./config.json
              livery --source /etc/app.json       follow another file
              livery --source https://example.com/config.json
                                                  follow a document on a web host
              livery --source http://127.0.0.1:3000
                                                  follow a Livery server; /v1/NAME for another namespace
              livery --json | jq .settings        print the facts for a script
              livery --plain --follow             say each change in a line, for screen readers
              livery doctor                       what is known of this terminal, and why
              livery set app.background.color '#87CEFA'
                                                  change a value on a server, and every screen with it
              sed -i s/#FFB6C1/#87CEFA/ config.json
                                                  recolour, from a second terminal

            ENVIRONMENT
              LIVERY_SOURCE   the source, where --source is not given
              LIVERY_TOKEN    the right to read a server or a document, and to use the commands below
              LIVERY_SERVER, LIVERY_NAMESPACE
                              the server for the commands below, and its namespace
              http_proxy, https_proxy, no_proxy
                              how to reach the network, as for curl
              BROWSER         the browser for the button's URL, as a list separated by colons; %s is the URL
              TERM            the terminal's name in the terminal database
              COLORTERM       truecolor or 24bit, where the terminal has 2^24 colours
              NO_COLOR        not empty: no colours

            FILES
              $XDG_CONFIG_HOME/livery/keys.json   keys of your own, such as {"refresh": ["r", "F5"]}; the actions \
            are named in the help (?)
              $XDG_CONFIG_HOME/livery/tweaks.json what was set on the screen of tweaks (t)
              $XDG_CACHE_HOME/livery              the last good values of what came over a network
              $XDG_CONFIG_HOME/livery/credentials.json
                                                  the tokens that `livery login` keeps

            SHELL COMPLETION
              livery --generate-completion-script bash|zsh|fish
                                                  a script that completes commands, files and the server's keys

            \(OperatorExit.help)
            """,
        version: SemanticVersion.livery.description,
        subcommands: [Doctor.self],
        groupedSubcommands: [
            CommandGroup(name: "Server", subcommands: OperatorCommands.all)
        ]
    )

    @OptionGroup var sourceOptions: SourceOptions

    @Option(
        help: ArgumentHelp(
            "How many colours to use: auto, never, 8, 16, 256 or truecolor (default: auto).",
            valueName: "depth"
        ),
        transform: Self.colorChoice
    )
    var color = ColorChoice.auto

    @Flag(help: "Print the facts once as JSON instead of taking over the screen.")
    var json = false

    @Flag(help: "Print the facts once as text instead of taking over the screen.")
    var plain = false

    @Flag(help: "With --plain: go on and say each change in a line of its own, for screen readers and logs.")
    var follow = false

    func validate() throws {
        if follow, !plain { throw ValidationError("--follow goes with --plain.") }
        if json, plain { throw ValidationError("Choose either --json or --plain.") }
    }

    static func colorChoice(_ name: String) throws -> ColorChoice {
        guard let choice = ColorChoice(rawValue: name) else {
            throw ValidationError("Say auto, never, 8, 16, 256 or truecolor.")
        }
        return choice
    }

    @MainActor
    func execute() async throws {
        let environment = ProcessInfo.processInfo.environment
        let keys = try KeyMap.forUser(environment: environment)
        let sync = try sourceOptions.service(environment: environment)

        if follow { return try await Announcer(sync: sync).run() }
        if json || plain || isatty(STDOUT_FILENO) == 0 {
            return try await PlainReport(after: sync).print(asJSON: json)
        }
        do {
            let driver = try CursesDriver(profile: TerminalProfile(choice: color, environment: environment))
            let reader = ConfigReader(provider: RemoteConfigProvider(service: sync))
            let app = DemoApp(
                driver: driver,
                sync: sync,
                tweaks: DemoTweaks(reader: reader, environment: environment),
                keys: keys,
                opener: URLOpener(environment: environment)
            )
            if let signal = try await app.run() { endProcess(by: signal) }
        } catch let error as TerminalError {
            StandardError.write("livery: \(error); showing plain text instead")
            try await PlainReport(after: sync).print(asJSON: false)
        }
    }
}
