/// A part of a row that leads somewhere, for terminals that can follow links.
public struct Hyperlink: Hashable, Sendable {
    /// The cells of the link, in one row.
    public var cells: Rect
    /// Where it leads: an absolute URL of printable ASCII, as every valid URL is.
    public var url: String

    /// Creates a link.
    public init(cells: Rect, url: String) {
        self.cells = cells
        self.url = url
    }

    /// Whether nothing in the URL could end the link's sequence early.
    var isSafe: Bool {
        cells.size.rows == 1 && url.utf8.count <= 2000 && url.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
