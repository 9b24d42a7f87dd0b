// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import ConfigWire

extension EvaluationContext {
    /// Reads the body of an OFREP request: `{"context": {"targetingKey": "user-42", …}}`. Other members are ignored.
    ///
    /// The body, its member `context`, and the members of the context are optional: without them the context is empty.
    ///
    /// - Throws: ``EvaluationError`` with the code `PARSE_ERROR` or `INVALID_CONTEXT`.
    init(ofrep json: [UInt8]) throws(EvaluationError) {
        self.init()
        var problem: EvaluationError?
        do throws(ConfigError) {
            try OFREPRequest.read(json) { (scanner) throws(ConfigError) in
                let start = scanner.position
                do throws(EvaluationError) {
                    self = try EvaluationContext(from: &scanner)
                } catch {
                    (problem, scanner.position) = (error, start)
                    try scanner.skipValue()
                }
            }
        } catch {
            let place = error.location.map { " at \($0)" } ?? ""
            throw EvaluationError(.parseError, "the body is not a JSON object: \(error.message)\(place)")
        }
        if let problem { throw problem }
    }

    /// Reads a context in the body of `POST /v1/{ns}/evaluate`.
    init(drafted scanner: inout JSONScanner) throws(ConfigError) {
        let place = scanner.location
        do throws(EvaluationError) {
            try self.init(from: &scanner)
        } catch {
            throw ConfigError(.unsupportedValue, error.message, location: place)
        }
    }
}
