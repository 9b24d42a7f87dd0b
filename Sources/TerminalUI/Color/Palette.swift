public import ConfigModel

/// The colours a terminal offers by index.
public struct Palette: Hashable, Sendable {
    /// One colour of a palette.
    public struct Entry: Hashable, Sendable {
        /// The number the terminal knows it by, 0–255.
        public let index: Int
        /// What it looks like.
        public let color: RGBColor

        /// Creates an entry from the terminal's number for it and what it looks like.
        public init(index: Int, color: RGBColor) {
            self.index = index
            self.color = color
        }
    }

    /// The colours, in any order; a colour may appear under several indices.
    public let entries: [Entry]

    /// Creates a palette, for example of what a terminal answered when asked for its colours.
    public init(entries: [Entry]) {
        self.entries = entries
    }
}
