import ConfigModel
import RemoteConfig
import TerminalUI

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
        case configuration(ConfigState.Current)
        case refreshed(RefreshOutcome)
        case opened(URLOpener.Outcome)
        case copied(String, isPossible: Bool)
        case tweaks(TweakState)
    }

    /// What the demo asks to have done.
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
    var configuration: ConfigState.Current
    var settings = DemoSettings()
    /// The rows of the screen of tweaks, open or not.
    var tweakState: TweakState
    /// The screen of tweaks, while it is open.
    var tweaks: TweaksModel?
    var overlay: Overlay?
    /// The first row of the overlay's content that is shown.
    var scroll = 0
    var feedback = ""
    /// Whether the terminal's window has the keyboard.
    var hasFocus = true
    /// What is printed on the normal screen when the program has ended.
    var parting: [String] = []

    init(
        size: Size,
        colors: ColorMatcher,
        repertoire: GlyphRepertoire = .unicode,
        keys: KeyMap = .standard,
        clock: ClockFormat = .local,
        configuration: ConfigState.Current,
        tweaks: TweakState = TweakState()
    ) {
        self.size = size
        self.colors = colors
        self.repertoire = repertoire
        self.keys = keys
        self.clock = clock
        self.configuration = configuration
        tweakState = tweaks
        settings.update(from: configuration.snapshot)
        settings.override(with: tweaks.items)
    }

    /// What is wrong: first with the source as a whole, then with single values.
    var problems: [ConfigError] {
        (configuration.status.problem.map { [$0] } ?? []) + settings.problems
    }
}
