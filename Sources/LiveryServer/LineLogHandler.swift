import ArgumentParser
import ConfigModel
import ConfigServer
import Foundation
import Logging

/// How logs are written.
enum LogFormat: String, CaseIterable, ExpressibleByArgument {
    /// A line for people.
    case text
    /// A JSON object a line, for machines.
    case json
}

/// Writes each message as one line to standard error.
struct LineLogHandler: LogHandler {
    let format: LogFormat
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    init(format: LogFormat) {
        self.format = format
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let time = Timestamp.ofClock().description
        StandardError.write(
            format == .json ? json(event, time, all) : text(event, time, all)
        )
    }

    private func text(_ event: LogEvent, _ time: String, _ metadata: [(key: String, value: Logger.MetadataValue)])
        -> String
    {
        let fields = metadata.map { " \($0.key)=\($0.value.description.oneLine)" }.joined()
        return "\(time) \(event.level) \(event.message.description.oneLine)\(fields)"
    }

    private func json(_ event: LogEvent, _ time: String, _ metadata: [(key: String, value: Logger.MetadataValue)])
        -> String
    {
        var json = JSONWriter()
        json.object { object in
            object.member("time") { $0.string(time) }
            object.member("level") { $0.string(event.level.rawValue) }
            object.member("message") { $0.string(event.message.description) }
            for (key, value) in metadata { object.member(key) { $0.string(value.description) } }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension String {
    /// The text as it may stand in a line of a log: nothing in it breaks the line or commands a terminal.
    fileprivate var oneLine: String { excerpt(ofScalars: 2000) }
}
