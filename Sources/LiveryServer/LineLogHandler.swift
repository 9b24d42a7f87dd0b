// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import Foundation
import Logging

struct LineLogHandler: LogHandler {
    let format: LogFormat
    let sink: LogSink
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        sink.write(format.line(event.level, event.message.description, all.map { ($0.key, $0.value.description) }))
    }
}

enum LogFormat: String, CaseIterable {
    case text
    case json

    func line(
        _ level: Logger.Level,
        _ message: String,
        _ metadata: [(key: String, value: String)]
    ) -> String {
        let time = Timestamp.ofClock().description
        guard self == .json else {
            let fields = metadata.map { " \($0.key)=\($0.value.logField)" }.joined()
            return "\(time) \(level) \(message.oneLine)\(fields)"
        }
        var json = JSONWriter()
        json.object { object in
            let first = [(key: "time", value: time), ("level", level.rawValue), ("message", message)]
            for (key, value) in first + metadata { object.member(key) { $0.string(value) } }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension String {
    /// The text for a line of a log: nothing in it ends the line or controls a terminal.
    fileprivate var oneLine: String {
        // As nearly all texts are.
        if utf8.count <= 2000, utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
        return excerpt(ofScalars: 2000)
    }

    /// The text as the value of a field, quoted if it is ambiguous, so that names cannot forge fields.
    fileprivate var logField: String {
        if !isEmpty, utf8.count <= 2000, utf8.allSatisfy(\.isPlain) { return self }
        let text = oneLine
        // A text with escapes has a backslash, and is in quotes as well.
        let isPlain = text.unicodeScalars.allSatisfy { !["\"", "=", "\\"].contains($0) && !$0.properties.isWhitespace }
        if isPlain, !text.isEmpty { return text }
        let quoted = unicodeScalars.prefix(2000).map { scalar in
            scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : String(scalar).oneLine
        }
        return "\"\(quoted.joined())\""
    }
}

extension UInt8 {
    /// Whether it is a character of ASCII that needs neither quotes nor escapes.
    fileprivate var isPlain: Bool {
        switch self {
        case UInt8(ascii: "\""), UInt8(ascii: "="), UInt8(ascii: "\\"): false
        default: (0x21...0x7E).contains(self)
        }
    }
}
