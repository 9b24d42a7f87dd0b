extension String {
    /// The beginning of a text as it may stand in a message of one line: what would break the line, or command a
    /// terminal, is spelled as a JSON escape.
    ///
    /// Counted in scalars, since one character can have any number of them.
    package func excerpt(ofScalars count: Int) -> String {
        unicodeScalars.prefix(count).map(\.visible).joined()
    }
}

extension Unicode.Scalar {
    fileprivate var visible: String {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator:
            let digits = String(value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default:
            return String(self)
        }
    }
}
