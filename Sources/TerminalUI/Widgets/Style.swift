// SPDX-License-Identifier: Apache-2.0

/// The look of a cell.
public struct Style: Hashable, Sendable {
    /// The attributes besides the colours.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Heavier or brighter.
        public static let bold = Attributes(rawValue: 1)
        /// Underlined.
        public static let underline = Attributes(rawValue: 2)
        /// Foreground and background swapped by the terminal, for terminals without colour.
        public static let reverse = Attributes(rawValue: 4)
    }

    /// The colour of the glyph.
    public var foreground: TerminalColor
    /// The colour behind it.
    public var background: TerminalColor
    /// The attributes besides the colours.
    public var attributes: Attributes

    /// Creates a style.
    public init(foreground: TerminalColor, background: TerminalColor, attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// The terminal's own colours.
    public static let standard = Style(foreground: .standard, background: .standard)

    /// The style with these attributes added.
    public func adding(_ attributes: Attributes) -> Style {
        var style = self
        style.attributes.formUnion(attributes)
        return style
    }

    /// The style in bold, unless that makes it hard to read: many terminals brighten the first eight colours when they
    /// are bold, black to a grey, and on a white or light grey ground that takes contrast away.
    package var emphasized: Style {
        guard case .indexed(0..<8) = foreground else { return adding(.bold) }
        // Text is black on light colours, and black on 1 even without colours, where bold is harmless.
        let isOnLight = foreground == .indexed(0) ? background != .indexed(1) : [7, 15].contains(background.index)
        return isOnLight ? self : adding(.bold)
    }

    /// The style with foreground and background exchanged.
    public var inverted: Style {
        Style(foreground: background, background: foreground, attributes: attributes)
    }
}

extension TerminalColor {
    fileprivate var index: Int? {
        if case .indexed(let index) = self { index } else { nil }
    }
}
