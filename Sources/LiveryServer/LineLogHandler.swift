import ConfigModel
import ConfigStore
import Foundation
import Logging

/// The format of the log.
enum LogFormat: String, CaseIterable {
    /// A line for people.
    case text
    /// A JSON object per line, for machines.
    case json
}

/// Writes each message as one line.
struct LineLogHandler: LogHandler {
    let format: LogFormat
    private let sink: LogSink
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    init(format: LogFormat, sink: LogSink) {
        self.format = format
        self.sink = sink
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        sink.write(format.line(event.level, event.message.description, all.map { ($0.key, $0.value.description) }))
    }
}

extension LogFormat {
    /// A message as a line, with the present time.
    func line(_ level: Logger.Level, _ message: String, _ metadata: [(key: String, value: String)] = []) -> String {
        let time = Timestamp.ofClock().description
        guard self == .json else {
            let fields = metadata.map { " \($0.key)=\($0.value.logField)" }.joined()
            return "\(time) \(level) \(message.oneLine)\(fields)"
        }
        var json = JSONWriter()
        json.object { object in
            object.member("time") { $0.string(time) }
            object.member("level") { $0.string(level.rawValue) }
            object.member("message") { $0.string(message) }
            for (key, value) in metadata { object.member(key) { $0.string(value) } }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// A sink for lines of this format.
    func sink() -> LogSink {
        LogSink { lost, reason in
            line(.warning, "lines of this log were lost: \(reason)", [("lines", "\(lost)")])
        }
    }
}

extension String {
    /// The text for a line of a log: nothing in it ends the line or controls a terminal.
    fileprivate var oneLine: String { excerpt(ofScalars: 2000) }

    /// The text as the value of a field, `key=value`: in quotes if it could be misread, so that nobody can forge fields by a
    /// name.
    var logField: String {
        let text = oneLine
        let isPlain = !text.isEmpty && !text.unicodeScalars.contains { " \"=\\".unicodeScalars.contains($0) }
        // A text with escapes has a backslash, and is in quotes as well.
        if isPlain, !text.unicodeScalars.contains(where: \.properties.isWhitespace) { return text }
        return "\""
            + unicodeScalars.prefix(2000).map { scalar in
                scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : String(scalar).oneLine
            }.joined() + "\""
    }
}
