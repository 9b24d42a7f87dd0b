/// The answer to `GET /v1/{namespace}/history`: what happened, newest first.
public struct HistoryMessage: Hashable, Sendable {
    /// The records.
    public var records: [HistoryRecord]
    /// What to ask for as `before` to read on; `nil` at the end.
    public var next: UInt64?

    /// Creates an answer from its parts.
    public init(records: [HistoryRecord], next: UInt64?) {
        self.records = records
        self.next = next
    }
}

extension HistoryMessage {
    /// Reads an answer. Members that are unknown here are passed over.
    ///
    /// - Throws: ``ConfigError``, also for members that are missing.
    public init(json: [UInt8]) throws(ConfigError) {
        self.init(records: [], next: nil)
        try JSONScanner.object(json, atMost: .max) { (name, scanner) throws(ConfigError) in
            switch name {
            case "next": next = try scanner.skipNull() ? nil : try scanner.revision()
            case "history":
                try scanner.array { (scanner) throws(ConfigError) in
                    records.append(try HistoryRecord(from: &scanner))
                }
            default: try scanner.skipValue()
            }
        }
    }

    /// The answer as a body.
    public var json: [UInt8] {
        var json = JSONWriter(reservingBytes: 64 + records.count * 160)
        json.object { object in
            object.member("history") { member in
                member.array { array in
                    for record in records { record.write(to: &array) }
                }
            }
            object.member("next") { member in
                if let next { member.number(next) } else { member.null() }
            }
        }
        return json.bytes
    }
}
