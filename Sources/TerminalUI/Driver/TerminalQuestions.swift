// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The queries that follow the first frame, and the terminal's answers so far. Every terminal answers the last query
/// (DA1), and answers in order: that answer completes the others.
struct TerminalQuestions {
    /// What is known when the answers are complete.
    struct Answers: Hashable {
        /// The real palette, if the terminal has one and reported it.
        var palette: Palette?
        /// Whether the terminal can hold back a frame until it is whole (private mode 2026).
        var hasSynchronizedOutput = false
        /// Whether the terminal's own background is a light one, where that was asked and reported.
        var hasLightGround: Bool?
        /// What the terminal says of counting by cluster (private mode 2027).
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

    /// How long the program waits at its end for answers that the shell would read otherwise. Nothing else waits.
    static let patience = Duration.milliseconds(50)

    /// How many colours the terminal has, which decides what is worth knowing.
    let depth: ColorDepth
    /// Whether the terminal has not yet answered everything.
    var isOutstanding: Bool { isAsked || probe != nil }
    private var isAsked = false
    private var probe: ClusterProbe?
    private(set) var colors: [Int: RGBColor] = [:]
    private(set) var answers = Answers()

    init(depth: ColorDepth) { self.depth = depth }

    /// The queries as they are sent.
    mutating func ask() -> [UInt8] {
        isAsked = true
        probe = nil
        let palette = (0..<depth.paletteSize).map { "\($0);?" }.joined(separator: ";")
        // Without colours, the terminal's own ones are all there is.
        let ground = depth == .monochrome ? "\u{1B}]11;?\u{1B}\\" : ""
        let question = palette.isEmpty ? ground : "\u{1B}]4;\(palette)\u{1B}\\"
        return Array("\(question)\u{1B}[?2026$p\u{1B}[?2027$p\u{1B}[c".utf8)
    }

    /// Receives an answer; returns all answers after the last one.
    mutating func receive(_ reply: TerminalReply) -> Answers? {
        guard isAsked else { return nil }
        switch reply {
        case .operatingSystemCommand(let command): readColor(command)
        case .controlSequence("?2026;1$", "y"), .controlSequence("?2026;2$", "y"): answers.hasSynchronizedOutput = true
        case .controlSequence(let parameters, "y") where parameters.hasPrefix("?2027;"):
            answers.clusterMode = ClusterMode(rawValue: String(parameters.dropFirst(6).prefix(1))) ?? .unknown
        case .controlSequence(let parameters, "c") where parameters.hasPrefix("?"): return complete()
        case .controlSequence, .deviceControl: break
        }
        return nil
    }

    /// `4;217;rgb:ffff/afaf/afaf` of the palette, `11;rgb:ffff/ffff/ffff` of the background.
    private mutating func readColor(_ command: String) {
        let fields = command.split(separator: ";")
        guard let color = fields.last.flatMap(Self.color) else { return }
        if fields.count == 2, fields[0] == "11" { answers.hasLightGround = color.isLight }
        guard fields.count == 3, fields[0] == "4", let index = Int(fields[1]),
            (0..<depth.paletteSize).contains(index)
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

    private mutating func complete() -> Answers {
        isAsked = false
        let isWhole = depth.paletteSize > 0 && colors.count == depth.paletteSize
        let entries = colors.sorted { $0.key < $1.key }.map { Palette.Entry(index: $0.key, color: $0.value) }
        if isWhole { answers.palette = Palette(entries: entries) }
        return answers
    }
}

extension TerminalQuestions {
    /// From now on, reports of the cursor measure clusters.
    mutating func measureClusters() { probe = ClusterProbe() }

    /// Receives where the cursor was after a sample; returns what the terminal holds after the last one.
    mutating func receiveWidth(_ reply: TerminalReply) -> ClusterKinds? {
        guard case .controlSequence(let parameters, "R") = reply, var probe,
            let column = parameters.split(separator: ";").last.flatMap({ Int($0) })
        else { return nil }
        probe.receive(column: column)
        self.probe = probe.isComplete ? nil : probe
        return probe.isComplete ? probe.kinds : nil
    }
}

/// The modes that the program sets in the terminal beyond those of curses.
struct TerminalModes {
    /// Switches on.
    private(set) var enter: [UInt8]
    /// Switches off, in the opposite order.
    private(set) var leave: [UInt8]

    /// - Parameter isXtermLike: whether the terminal understands xterm's private modes; others get none.
    init(isXtermLike: Bool) {
        // The mouse's buttons, and its motion while one is down (1002), in decimal (1006), which reaches beyond column
        // 223; whether the window has the keyboard (1004); pasted text in brackets (2004).
        let modes = isXtermLike ? [1002, 1006, 1004, 2004] : []
        let saveTitle = isXtermLike ? "\u{1B}[22;2t" : ""
        let restoreTitle = isXtermLike ? "\u{1B}[23;2t" : ""
        enter = Array((saveTitle + modes.map { "\u{1B}[?\($0)h" }.joined()).utf8)
        leave = Array((modes.reversed().map { "\u{1B}[?\($0)l" }.joined() + restoreTitle).utf8)
    }

    /// Adds a mode of which only a running terminal tells that it has it; returns what switches it on.
    mutating func add(_ mode: Int) -> [UInt8] {
        let (on, off) = (Array("\u{1B}[?\(mode)h".utf8), Array("\u{1B}[?\(mode)l".utf8))
        enter += on
        leave = off + leave
        return on
    }
}

extension RGBColor {
    /// Whether black is read more easily on it than white.
    fileprivate var isLight: Bool {
        contrast(with: RGBColor(rgb24: 0x000000)) > contrast(with: RGBColor(rgb24: 0xFFFFFF))
    }
}
