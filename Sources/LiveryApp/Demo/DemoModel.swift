import ConfigModel
import RemoteConfig
import TerminalUI

/// What the screen shows of the world, read at one moment.
struct DemoState: Sendable {
    /// The remote configuration and the status of its source.
    var configuration: ConfigState.Current
    /// The demo's values, tweaks included.
    var values: DemoValues
    /// The rows of the screen of tweaks.
    var tweaks = TweakState()
}

/// Everything that the screen is drawn from.
struct DemoModel: ScreenModel {
    /// What lies over the main screen.
    enum Overlay: Hashable {
        case help
        case inspector
    }

    /// What can happen.
    enum Message {
        case terminal(TerminalEvent)
        case changed(DemoState)
        case refreshed(RefreshOutcome)
        case opened(URLOpener.Outcome)
        case copied(String, isPossible: Bool)
    }

    /// What the model wants done.
    enum Effect: Hashable {
        case refresh
        case open(WebAddress)
        case copy(String)
        case tweak(TweakCommand)
        case quit(signal: Int32?)
    }

    var colors: ColorMatcher
    let repertoire: GlyphRepertoire
    let keys: KeyMap
    let clock: ClockFormat

    var size: Size
    var state: DemoState
    /// The screen of tweaks, while it is open.
    var tweaks: TweaksModel?
    var overlay: Overlay?
    /// The first row of the overlay's content that is shown.
    var scroll = 0
    var feedback = ""
    /// Whether the terminal's window has the keyboard.
    var hasFocus = true
    /// What is printed on the normal screen after the program has ended.
    var parting: [String] = []

    init(
        size: Size,
        colors: ColorMatcher,
        repertoire: GlyphRepertoire = .unicode,
        keys: KeyMap = .standard,
        clock: ClockFormat = .local,
        state: DemoState
    ) {
        self.size = size
        self.colors = colors
        self.repertoire = repertoire
        self.keys = keys
        self.clock = clock
        self.state = state
    }

    var configuration: ConfigState.Current { state.configuration }
    var values: DemoValues { state.values }

    /// What is wrong: first with the source as a whole, then with single values.
    var problems: [ConfigError] {
        (configuration.status.problem.map { [$0] } ?? []) + values.problems
    }
}
