import ConfigModel
import RemoteConfig
import TerminalUI

extension DemoModel {
    mutating func update(_ message: Message) -> [Effect] {
        // A larger screen or a shorter list may leave less to scroll.
        defer { scroll(by: 0) }
        switch message {
        case .terminal(let event): return update(event)
        case .changed(let state):
            self.state = state
            tweaks?.update(state.tweaks)
        case .refreshed(let outcome): feedback = Self.feedback(for: outcome)
        case .opened(let outcome): report(outcome)
        case .copied(let url, let isPossible):
            feedback = isPossible ? "Copied \(url), if the terminal allows it" : "This terminal has no clipboard"
        }
        return []
    }

    private mutating func update(_ event: TerminalEvent) -> [Effect] {
        switch event {
        case .resized(let size): self.size = size
        case .palette(let palette): colors = ColorMatcher(depth: colors.depth, palette: palette)
        case .signal(let signal): return [.quit(signal: signal)]
        case .hangUp: return [.quit(signal: nil)]
        case .input(.key(let key)): return update(key)
        case .input(.mouse(let mouse)): return update(mouse)
        case .input(.paste(let text)):
            return overlay == nil ? withTweaks { tweaks, _ in tweaks.paste(text) } ?? [] : []
        case .input(.focus(let hasFocus)): self.hasFocus = hasFocus
        case .input(.reply): break
        }
        return []
    }

    private mutating func update(_ key: Key) -> [Effect] {
        if overlay == nil, let effects = withTweaks({ tweaks, _ in tweaks.update(key) }) { return effects }
        return keys.action(for: key).map { perform($0) } ?? []
    }

    /// Hands an event to the screen of tweaks, if that is open.
    ///
    /// - Returns: what has to be done; `nil` if the event means nothing there.
    private mutating func withTweaks(
        _ update: (inout TweaksModel, TweaksLayout) -> TweaksModel.Response
    ) -> [Effect]? {
        guard var tweaks else { return nil }
        let layout = TweaksLayout(size)
        tweaks.room = layout.content.size
        let response = update(&tweaks, layout)
        self.tweaks = response == .close ? nil : tweaks
        switch response {
        case .ignored: return nil
        case .close: return []
        case .done(let commands): return commands.map(Effect.tweak)
        }
    }

    private mutating func update(_ mouse: MouseEvent) -> [Effect] {
        if overlay == nil, let effects = withTweaks({ $0.update(mouse, in: $1) }) { return effects }
        switch mouse.action {
        case .press(button: 0) where overlay == nil && MainLayout(self).button.contains(mouse.point):
            return perform(.open)
        case .press where overlay != nil && !overlayFrame.contains(mouse.point):
            return perform(.close)
        case .scroll(let direction):
            return perform(direction < 0 ? .scrollUp : .scrollDown)
        default:
            return []
        }
    }

    private mutating func perform(_ action: Action) -> [Effect] {
        switch action {
        case .open: return overlay == nil ? [.open(values.buttonURL)] : []
        case .copy: return overlay == nil ? [.copy(values.buttonURL.text)] : []
        case .refresh:
            feedback = "Reading \(configuration.status.source) …"
            return [.refresh]
        case .inspect: toggle(.inspector)
        case .help: toggle(.help)
        case .tweak: tweaks = TweaksModel(state.tweaks)
        case .quit: return [.quit(signal: nil)]
        case .close where overlay == nil: return [.quit(signal: nil)]
        case .close: overlay = nil
        case .scrollUp: scroll(by: -1)
        case .scrollDown: scroll(by: 1)
        case .pageUp: scroll(by: -overlayPage)
        case .pageDown: scroll(by: overlayPage)
        }
        return []
    }

    private mutating func toggle(_ wanted: Overlay) {
        overlay = overlay == wanted ? nil : wanted
        scroll = 0
    }

    private mutating func scroll(by rows: Int) {
        scroll = min(max(scroll + rows, 0), max(overlayLines.count - overlayPage, 0))
    }
}

extension DemoModel {
    private static func feedback(for outcome: RefreshOutcome) -> String {
        switch outcome {
        case .changed(let keys): "Refreshed: \(keys.joined(separator: ", "))"
        case .unchanged: "Refreshed: nothing new"
        case .failed(let error): "Not refreshed: \(error.message)"
        }
    }

    private mutating func report(_ outcome: URLOpener.Outcome) {
        switch outcome {
        case .opened(let url, let program): feedback = "Opened \(url.text) with \(program)"
        case .noBrowser(let url):
            feedback = "No browser here; the URL is printed when you leave: \(url.text)"
            if !parting.contains(url.text) { parting.append(url.text) }
        case .failed(let url, let reason):
            feedback = "Not opened: \(reason); the URL is printed when you leave"
            if !parting.contains(url.text) { parting.append(url.text) }
        }
    }
}
