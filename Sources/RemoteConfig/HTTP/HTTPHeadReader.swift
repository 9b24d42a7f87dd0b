internal import Foundation

/// Puts heads together from the lines that libcurl hands over one by one.
///
/// An answer may have several heads: interim ones (1xx) come before the one that counts. What follows that one are
/// trailers, which mean nothing here.
struct HTTPHeadReader {
    private let url: URL
    private var status: Int?
    private var fields: [(name: String, value: String)] = []

    init(url: URL) {
        self.url = url
    }

    /// Takes a line with its end.
    ///
    /// - Returns: the head that ends with this line.
    mutating func read(_ line: some Collection<UInt8>) -> HTTPResponseHead? {
        let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
        if text.hasPrefix("HTTP/") {
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            fields = []
        } else if text.isEmpty {
            defer { status = nil }
            return status.map { HTTPResponseHead(status: $0, headers: HTTPHeaders(fields), url: url) }
        } else if status != nil {
            readField(text)
        }
        return nil
    }

    private mutating func readField(_ text: String) {
        let isContinued = text.first == " " || text.first == "\t"
        if isContinued, let last = fields.popLast() {
            fields.append((last.name, last.value + " " + text.trimmingCharacters(in: .whitespaces)))
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            fields.append((String(text[..<colon]), value))
        }
    }
}
