import ConfigModel

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Spells moments in a time zone by the C library, in microseconds: Foundation's formatters load a database first.
struct ClockFormat: Sendable {
    private let convert: @Sendable (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> Void

    /// The user's own time zone, by `TZ` or the system's setting.
    static let local = ClockFormat { localtime_r($0, $1) }
    static let utc = ClockFormat { gmtime_r($0, $1) }

    /// `12:03:44`.
    func clock(_ moment: Timestamp) -> String {
        spelled(moment, "%H:%M:%S")
    }

    /// `2026-11-20 12:03:44`.
    func dateAndClock(_ moment: Timestamp) -> String {
        spelled(moment, "%Y-%m-%d %H:%M:%S")
    }

    private func spelled(_ moment: Timestamp, _ format: String) -> String {
        var time = time_t(moment.wholeSeconds)
        var components = tm()
        convert(&time, &components)
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, format, &components)
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension Timestamp {
    /// Seconds since 1970, rounded down, also before 1970.
    fileprivate var wholeSeconds: Int64 {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

/// Indents JSON for people: two spaces per level, one member or element per line.
enum PrettyJSON {
    /// - Parameter json: valid JSON without white space between its tokens, as ``JSONWriter`` writes it.
    /// - Returns: the same JSON with a line break at its end.
    static func laidOut(_ json: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(json.count * 2)
        var depth = 0
        var isInString = false
        var isEscaped = false
        for (index, byte) in json.enumerated() {
            if isInString {
                output.append(byte)
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                output.append(byte)
                depth += 1
                // An empty object or array stays on its line.
                let isEmpty = index + 1 < json.count && json[index + 1] == byte + 2
                if !isEmpty { output += lineBreak(depth) }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if json[index - 1] != byte - 2 { output += lineBreak(depth) }
                output.append(byte)
            case UInt8(ascii: ","):
                output.append(byte)
                output += lineBreak(depth)
            case UInt8(ascii: ":"):
                output += ": ".utf8
            default:
                isInString = byte == UInt8(ascii: "\"")
                output.append(byte)
            }
        }
        return output + "\n".utf8
    }

    private static func lineBreak(_ depth: Int) -> [UInt8] {
        [UInt8(ascii: "\n")] + [UInt8](repeating: UInt8(ascii: " "), count: depth * 2)
    }
}
