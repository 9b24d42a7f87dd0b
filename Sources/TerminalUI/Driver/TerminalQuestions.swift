// SPDX-License-Identifier: Apache-2.0

internal import Basics

/// The queries that follow the first frame, in groups, and the terminal's answers. Every terminal answers the last query of
/// each group (DA1), and answers in order: that answer completes the group.
struct TerminalQuestions {
    /// Questions that are sent together.
    private enum Group { case features, palette, clusters }

    /// The answers to a group.
    enum Answers: Hashable {
        case features(Features)
        /// The palette with the colours of the user's theme.
        case palette(Palette)
        /// The kinds of emoji that the terminal shows as one.
        case clusters(ClusterKinds)
    }

    /// The abilities of a terminal beyond its entry in the database.
    struct Features: Hashable {
        /// Whether the terminal can buffer a frame until it is complete (private mode 2026).
        var hasSynchronizedOutput = false
        /// Whether the terminal distinguishes keys from the beginnings of sequences, by kitty's keyboard protocol.
        var hasKeyboardProtocol = false
        /// Whether the terminal's own background is a light one, if it was queried and reported.
        var hasLightGround: Bool?
        /// The terminal's mode for counting by cluster (private mode 2027).
        var clusterMode = ClusterMode.unknown
    }

    /// The answer to whether a terminal counts columns by grapheme cluster, as DECRPM numbers it.
    enum ClusterMode: String {
        case unknown = "0"
        case on = "1"
        case off = "2"
        case alwaysOn = "3"
        case alwaysOff = "4"
    }

    /// The number of colours of the terminal, which determines useful queries.
    let depth: ColorDepth
    /// The unanswered groups of queries, in order.
    private var asked: [Group] = []
    private var next: Group? = .features
    private var features = Features()
    private var colors: [Int: RGBColor] = [:]
    private var probe = ClusterProbe()
    /// Whether only a measurement can determine which clusters the terminal supports, and none was made.
    var canMeasureClusters = false

    private var themeSize: Int { depth.themeSize }

    private static let features = "\u{1B}[?2026$p\u{1B}[?2027$p\u{1B}[?u"
    private static let fence = Array("\u{1B}[c".utf8)

    /// - Parameter canBeAsked: whether the terminal accepts queries at all; others receive none.
    init(depth: ColorDepth, canBeAsked: Bool = true) {
        self.depth = depth
        if !canBeAsked { next = nil }
    }

    /// The queries that are due; empty if there are none.
    mutating func ask() -> [UInt8] {
        guard let group = next.take() else { return [] }
        asked.append(group)
        let queries =
            switch group {
            // Without colours, only the terminal's own ones are shown.
            case .features where depth == .monochrome: "\u{1B}]11;?\u{1B}\\\(Self.features)"
            case .features: Self.features
            case .palette: "\u{1B}]4;\((0..<themeSize).map { "\($0);?" }.joined(separator: ";"))\u{1B}\\"
            case .clusters: ""
            }
        return Array(queries.utf8) + Self.fence
    }

    /// The queries that measure clusters: bytes that write the samples of ``ClusterProbe``, each with a report of the cursor.
    mutating func measureClusters(by samples: [UInt8]) -> [UInt8] {
        asked.append(.clusters)
        canMeasureClusters = false
        probe = ClusterProbe()
        return samples + Self.fence
    }

    /// Forgets the groups whose answers are not read any more: they are due again, and clusters may be measured again.
    mutating func startAgain() {
        if asked.contains(.clusters) { canMeasureClusters = true }
        guard let first = asked.first(where: { $0 != .clusters }) else { return asked = [] }
        (asked, next) = ([], first)
    }

    /// Receives an answer; returns those of the group that it completes.
    mutating func receive(_ reply: TerminalReply) -> Answers? {
        guard let group = asked.first else { return nil }
        switch (group, reply) {
        case (_, .controlSequence(let parameters, "c")) where parameters.hasPrefix("?"): return complete(group)
        case (.features, .controlSequence(let parameters, let final)): readFeature(parameters, final)
        case (.features, .operatingSystemCommand(let command)), (.palette, .operatingSystemCommand(let command)):
            readColor(command)
        case (.clusters, .controlSequence(let parameters, "R")):
            let column = parameters.split(separator: ";").last.flatMap { TerminalReply.number($0) }
            if let column { probe.receive(column: column) }
        default: break
        }
        return nil
    }

    private mutating func readFeature(_ parameters: String, _ final: Character) {
        switch (parameters, final) {
        case ("?2026;1$", "y"), ("?2026;2$", "y"): features.hasSynchronizedOutput = true
        case (_, "y") where parameters.hasPrefix("?2027;"):
            features.clusterMode = ClusterMode(rawValue: String(parameters.dropFirst(6).prefix(1))) ?? .unknown
        case (_, "u") where parameters.hasPrefix("?"): features.hasKeyboardProtocol = true
        default: break
        }
    }

    /// `4;217;rgb:ffff/afaf/afaf` of the palette, `11;rgb:ffff/ffff/ffff` of the background.
    private mutating func readColor(_ command: String) {
        let fields = command.split(separator: ";")
        guard let color = fields.last.flatMap(Self.color) else { return }
        if fields.count == 2, fields[0] == "11" { features.hasLightGround = color.isLight }
        guard fields.count == 3, fields[0] == "4", let index = TerminalReply.number(fields[1]), index < themeSize
        else { return }
        colors[index] = color
    }

    /// `rgb:ffff/afaf/afaf`, one to four digits a channel; some terminals report `rgba:` with opacity as well.
    private static func color(_ specification: Substring) -> RGBColor? {
        let parts = specification.split(separator: ":")
        guard parts.count == 2, parts[0] == "rgb" || parts[0] == "rgba" else { return nil }
        let channels = parts[1].split(separator: "/").compactMap(channel)
        guard channels.count == parts[0].count else { return nil }
        return RGBColor(red: channels[0], green: channels[1], blue: channels[2])
    }

    private static func channel(_ digits: Substring) -> UInt8? {
        guard (1...4).contains(digits.count), let value = Int(digits, radix: 16), value >= 0 else { return nil }
        let largest = (1 << (4 * digits.count)) - 1
        return UInt8((value * 255 + largest / 2) / largest)
    }

    private mutating func complete(_ group: Group) -> Answers? {
        asked.removeFirst()
        switch group {
        case .features:
            if themeSize > 0 { next = .palette }
            return .features(features)
        case .palette:
            return colors.count == themeSize ? .palette(Palette(theme: colors, of: depth)) : nil
        case .clusters: return .clusters(probe.kinds)
        }
    }
}

/// The modes that the program sets in the terminal beyond those of curses.
struct TerminalModes {
    /// Switches on; may be sent again.
    private(set) var enter: [UInt8]
    /// Switches off, in the opposite order.
    private(set) var leave: [UInt8]
    /// Keeps the window's title, once, for ``restoreTitle``: the terminal has a stack of them.
    let saveTitle: [UInt8]
    let restoreTitle: [UInt8]
    /// The sequence that names the window; empty if it keeps its name.
    var title: [UInt8] = []
    /// Whether the terminal buffers frames until they are complete.
    var isSynchronized = false
    private(set) var hasKeyboardProtocol = false
    /// Whether the next frame has to enter the modes, so that it is one write.
    var mustBeEntered = false
    /// Whether the terminal has the modes, and keeps the window's former title.
    var areEntered = false

    /// - Parameter isXtermLike: whether the terminal understands xterm's private modes; others get none.
    init(isXtermLike: Bool) {
        // The mouse's buttons, and its motion while one is down (1002), in decimal (1006), which reaches beyond column
        // 223; whether the window has the keyboard (1004); pasted text in brackets (2004).
        let modes = isXtermLike ? [1002, 1006, 1004, 2004] : []
        saveTitle = Array((isXtermLike ? "\u{1B}[22;2t" : "").utf8)
        restoreTitle = Array((isXtermLike ? "\u{1B}[23;2t" : "").utf8)
        (enter, leave) = ([], [])
        for mode in modes { _ = add(mode) }
    }

    /// Enters the modes, and names the window; its former title is kept the first time.
    mutating func enterAll() -> [UInt8] {
        defer { (areEntered, mustBeEntered) = (true, false) }
        return (areEntered ? [] : saveTitle) + enter + title
    }

    /// The bytes that leave the modes.
    var leaveAll: [UInt8] { leave + restoreTitle }

    /// Adds a private mode; returns what switches it on.
    mutating func add(_ mode: Int) -> [UInt8] {
        add(Array("\u{1B}[?\(mode)h".utf8), leave: Array("\u{1B}[?\(mode)l".utf8))
    }

    /// Adds kitty's keyboard protocol, to the extent that it distinguishes Esc from the beginning of a sequence.
    ///
    /// Flags are set, not pushed: the alternate screen has its own flags.
    mutating func addKeyboardProtocol() -> [UInt8] {
        hasKeyboardProtocol = true
        return add(Self.keyboardProtocolOn, leave: Self.keyboardProtocolOff)
    }

    static let keyboardProtocolOn = Array("\u{1B}[=1u".utf8)
    static let keyboardProtocolOff = Array("\u{1B}[=0u".utf8)

    private mutating func add(_ on: [UInt8], leave off: [UInt8]) -> [UInt8] {
        enter += on
        leave = off + leave
        return on
    }
}

extension RGBColor {
    /// Whether black is read more easily on it than white.
    fileprivate var isLight: Bool {
        contrast(with: RGBColor(0x000000)) > contrast(with: RGBColor(0xFFFFFF))
    }
}
