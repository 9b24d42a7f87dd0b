// SPDX-License-Identifier: Apache-2.0

import TerminalUI

/// A screen that opens beside the main screen, or over it where there is no room for both.
protocol DemoPanel: Screen where Intent == PanelIntent {
    /// Its place among the open panels.
    var layer: PanelLayer { get }
    /// The latest message, until the next key.
    var feedback: String { get set }

    /// Takes in what has changed.
    mutating func update(_ state: PanelState)

    /// Marks the keys that have just changed, and no others. Nothing, by default.
    mutating func mark(_ keys: Set<String>)

    /// Ends a drag, since something else has the input now. Nothing, by default.
    mutating func endDrag()
}

extension DemoPanel {
    mutating func mark(_ keys: Set<String>) {}
    mutating func endDrag() {}
}

/// The panels, the lowest first: a panel that opens closes the panels that are not below it.
enum PanelLayer: Int, Comparable, Sendable {
    case tweaks, inspector

    static func < (left: PanelLayer, right: PanelLayer) -> Bool { left.rawValue < right.rawValue }
}

/// The work that a panel requests.
enum PanelIntent: Hashable, Sendable {
    case help
    case copy(String)
    case tweak(TweakCommand)
}
