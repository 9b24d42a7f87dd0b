// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The body of `POST /v1/{namespace}/evaluate`.
///
/// `Context` is a type of the module that evaluates, which reads it by a closure.
package struct EvaluationRequest<Context: Sendable>: Sendable {
    /// The key whose rule is evaluated.
    package private(set) var key = ""
    /// A draft; `nil` for the rule that the key has.
    package private(set) var rule: EntryValue?
    /// The evaluators that the draft refers to; `nil` for those of the namespace.
    package private(set) var evaluators: EntryValue?
    package private(set) var contexts: [Context] = []
    /// Whether the answer has the steps of each evaluation.
    package private(set) var isExplained = false

    /// Reads a request strictly: members that are unknown here are errors, with their place.
    package init(
        json: [UInt8],
        readContext: (inout JSONScanner) throws(ConfigError) -> Context
    ) throws(ConfigError) {
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
            case "rule": rule = try scanner.reading(.rule) { (scanner) throws(ConfigError) in try scanner.value() }
            case "evaluators":
                evaluators = try scanner.reading(.rule) { (scanner) throws(ConfigError) in try scanner.value() }
            case "explain": isExplained = try scanner.value() == .boolean(true)
            case "contexts":
                try scanner.array { (scanner) throws(ConfigError) in
                    let place = scanner.location
                    guard contexts.count < Evaluations.maximumContexts else {
                        let message = "more than \(Evaluations.maximumContexts) contexts; split the request"
                        throw ConfigError(.tooLarge, message, location: place)
                    }
                    contexts.append(try readContext(&scanner))
                }
            default:
                throw scanner.unknownMember(name, known: ["key", "rule", "evaluators", "contexts", "explain"])
            }
        }
        guard hasKey else { throw ConfigError(.syntax, "missing member 'key'") }
    }
}

/// The answer: the results, in the order of the contexts.
package enum Evaluations {
    /// The maximum number of contexts in a request.
    package static let maximumContexts = 10_000

    /// The answer as a body.
    ///
    /// - Parameter results: a JSON array, which is written piece by piece.
    package static func json(key: String, results: [UInt8]) -> [UInt8] {
        JSONWriter.object(reservingBytes: results.count + 256) { object in
            object.member("key") { $0.string(key) }
            object.member("results") { $0.raw(results) }
        }
    }

    static let requestSchema = WireSchema.object(
        "EvaluationRequest",
        [
            .required("key", .key), .optional("rule", .rule), .optional("evaluators", .anyObject),
            .optional("explain", .flag),
            .optional("contexts", .evaluationContext.list(atMost: maximumContexts)),
        ],
        isClosed: true
    )

    private static let result = WireSchema.object([
        .required("targetingKey", .text.orNull), .required("variant", .text.orNull), .required("value", .anything),
        .required("reason", .text), .optional("errorCode", .text), .optional("errorDetails", .text),
        .optional("steps", WireSchema(["type": "array"])),
    ])

    static let schema = WireSchema.object(
        "Evaluations",
        [.required("key", .key), .required("results", result.list())]
    )
}
