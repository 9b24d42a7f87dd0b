// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules

extension EvaluationContext {
    /// Reads the body of an OFREP request: `{"context": {"targetingKey": "user-42", …}}`. Other members are ignored.
    ///
    /// The body, its member `context`, and the members of the context are optional: without them the context is empty.
    ///
    /// - Throws: ``EvaluationError`` with the code `PARSE_ERROR` or `INVALID_CONTEXT`.
    init(ofrep json: [UInt8]) throws(EvaluationError) {
        self.init()
        guard !json.isEmpty else { return }
        var context: EvaluationContext?
        var problem: EvaluationError?
        do throws(ConfigError) {
            try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
                guard name.hasSameScalars(as: "context") else { return try scanner.skipValue() }
                let start = scanner.position
                if scanner.current == UInt8(ascii: "n") { return try scanner.skipValue() }
                do throws(EvaluationError) {
                    context = try EvaluationContext(from: &scanner)
                } catch {
                    (problem, scanner.position) = (error, start)
                    try scanner.skipValue()
                }
            }
        } catch {
            let place = error.location.map { " at \($0)" } ?? ""
            throw EvaluationError(.parseError, "the body is no JSON object: \(error.message)\(place)")
        }
        if let problem { throw problem }
        if let context { self = context }
    }
}

/// The body of `POST /v1/{ns}/evaluate`.
struct EvaluationRequest: Sendable {
    var key = ""
    /// A draft; `nil` for the rule that the key has.
    var rule: EntryValue?
    /// What the draft shares with others; `nil` for what the namespace has.
    var evaluators: EntryValue?
    var contexts: [EvaluationContext] = []
    var isExplained = false

    static let maximumContexts = 10_000
    private static let members = ["key", "rule", "evaluators", "contexts", "explain"]

    init(json: [UInt8]) throws(ConfigError) {
        var hasKey = false
        try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
            switch name {
            case "key":
                let place = scanner.location
                key = try scanner.text()
                if let problem = KeyRule.problem(in: key) {
                    throw ConfigError(.invalidKey, "the key \(problem)", location: place)
                }
                hasKey = true
            case "rule": rule = try scanner.value()
            case "evaluators": evaluators = try scanner.value()
            case "explain": isExplained = try scanner.value() == .boolean(true)
            case "contexts":
                try scanner.array { (scanner) throws(ConfigError) in
                    let place = scanner.location
                    guard contexts.count < Self.maximumContexts else {
                        let message = "there are more than \(Self.maximumContexts) contexts; send them in parts"
                        throw ConfigError(.tooLarge, message, location: place)
                    }
                    do throws(EvaluationError) {
                        contexts.append(try EvaluationContext(from: &scanner))
                    } catch {
                        throw ConfigError(.unsupportedValue, error.message, location: place)
                    }
                }
            default: throw scanner.unknownMember(name, known: Self.members)
            }
        }
        guard hasKey else { throw ConfigError(.syntax, "the member 'key' is missing") }
    }
}
