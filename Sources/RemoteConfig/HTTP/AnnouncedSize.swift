/// How large a server says that a state of a namespace can be, in bytes of JSON.
enum AnnouncedSize {
    /// The field of an answer.
    static let fieldName = "livery-max-size"
    /// The most that a server is believed.
    static let ceiling = 1 << 30

    /// What a server says, up to the ceiling; `nil` if it says nothing.
    static func stated(in headers: HTTPHeaders) -> Int? {
        guard let text = headers[fieldName], !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return min(Int(text) ?? ceiling, ceiling)
    }
}
