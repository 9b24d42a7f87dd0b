// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import HTTPTransport

/// What a server says of all flags, in OpenFeature's protocol.
struct OFREPAnswer {
    /// The values by the keys of the flags.
    private var values = KeyedValues<EntryValue>()
    /// The flags that have no value here, since something is wrong with them.
    private var failures: [(key: String, reason: String)] = []

    private init() {}

    /// The body of a request.
    static func request(for context: EvaluationContext) -> [UInt8] {
        JSONWriter.object { object in object.member("context") { $0.value(.object(context.members)) } }
    }

    /// Reads an answer. Members that are unknown here are ignored.
    init(json: [UInt8]) throws(ConfigError) {
        var hasFlags = false
        var answer = OFREPAnswer()
        try JSONScanner.object(json, atMost: .max) { (name, scanner) throws(ConfigError) in
            guard name.hasSameScalars(as: "flags") else { return try scanner.skipValue() }
            hasFlags = true
            try scanner.array { (scanner) throws(ConfigError) in try answer.readFlag(&scanner) }
        }
        guard hasFlags else {
            throw ConfigError(.badResponse, "the member 'flags' is missing: this is not an answer of OFREP")
        }
        self = answer
    }

    private mutating func readFlag(_ scanner: inout JSONScanner) throws(ConfigError) {
        var (key, code, details, value) = ("", String?.none, "", EntryValue?.none)
        var problem: ConfigError?
        try scanner.object { (name, scanner) throws(ConfigError) in
            switch name {
            case "key": key = try scanner.text()
            case "errorCode": code = try scanner.text()
            case "errorDetails": details = try scanner.skipNull() ? "" : scanner.text()
            case "value":
                let start = scanner.position
                do throws(ConfigError) {
                    value = try scanner.skipNull() ? nil : scanner.value()
                } catch {
                    (problem, scanner.position) = (error, start)
                    try scanner.skipValue()
                }
            default: try scanner.skipValue()
            }
        }
        if let code {
            failures.append((key, [code, details].filter { !$0.isEmpty }.joined(separator: ": ")))
        } else if let problem {
            failures.append((key, problem.message))
        } else if let fault = KeyRule.problem(in: key) {
            failures.append((key, "the key \(fault)"))
        } else if let value {
            values.update(value, forKey: key)
        }
    }

    func entries(from source: String, at now: Timestamp) -> ConfigEntries {
        var entries = ConfigEntries()
        for (key, value) in values {
            entries[key] = EntrySnapshot.Entry(value: value, source: source, changedAt: now)
        }
        return entries
    }

    /// What is wrong with the first of the flags that have no value here.
    var problem: ConfigError? {
        guard let first = failures.first else { return nil }
        let more = failures.count > 1 ? " (and \(failures.count - 1) more)" : ""
        let message =
            "the flag '\(first.key.excerpt(ofScalars: 130))' has no value: \(first.reason.excerpt(ofScalars: 300))\(more)"
        return ConfigError(.unsupportedValue, message)
    }

    /// What a server says that refuses the question itself.
    static func refusal(in response: HTTPResponse) -> ConfigError? {
        guard response.head.status == 400, response.head.headers.mediaType == "application/json" else { return nil }
        var parts: [String] = []
        let read: Void? = try? JSONScanner.object(response.body, atMost: .max) { (name, scanner) throws(ConfigError) in
            switch name {
            case "errorCode", "errorDetails": parts.append(try scanner.skipNull() ? "" : scanner.text())
            default: try scanner.skipValue()
            }
        }
        let words = parts.filter { !$0.isEmpty }.joined(separator: ": ").excerpt(ofScalars: 300)
        if read == nil || words.isEmpty { return nil }
        return ConfigError(.rejected, "the server refuses the context: \(words)")
    }
}
