/// A place in a text, as editors show it.
public struct TextLocation: Hashable, Sendable {
    /// The line, from 1.
    public var line: Int
    /// The column, from 1, in Unicode scalars.
    public var column: Int

    /// Creates a location from its line and column, both from 1.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

extension TextLocation: Comparable {
    /// Orders as a text is read.
    public static func < (left: TextLocation, right: TextLocation) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

extension TextLocation: CustomStringConvertible {
    /// `line:column`.
    public var description: String { "\(line):\(column)" }
}
