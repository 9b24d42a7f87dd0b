// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

extension EvaluationContext {
    /// Reads a context from UTF-8: `{"targetingKey": "user-42", "language": "es"}`. Numbers are read as doubles, as flagd reads
    /// them.
    ///
    /// - Throws: ``EvaluationError`` with the code `INVALID_CONTEXT`.
    package init(json: [UInt8]) throws(EvaluationError) {
        try self.init { (readMember) throws(ConfigError) in
            try JSONScanner.object(json, readMember: readMember)
        }
    }

    /// Reads a context that is part of a larger text.
    ///
    /// - Throws: ``EvaluationError`` with the code `INVALID_CONTEXT`.
    package init(from scanner: inout JSONScanner) throws(EvaluationError) {
        var copy = scanner
        defer { scanner = copy }
        try self.init { (readMember) throws(ConfigError) in try copy.object(readMember) }
    }

    private typealias ReadMember = (_ name: String, _ scanner: inout JSONScanner) throws(ConfigError) -> Void

    /// Reads an object of attributes, whose `targetingKey`, if there is one, is a text.
    private init(readObject: (ReadMember) throws(ConfigError) -> Void) throws(EvaluationError) {
        self.init()
        var members: [EntryObject.Member] = []
        do throws(ConfigError) {
            try readObject { (name, scanner) throws(ConfigError) in
                let limits = scanner.limits
                defer { scanner.limits = limits }
                scanner.limits = .context
                members.append((name, try scanner.skipNull() ? .null : scanner.value()))
            }
        } catch {
            throw EvaluationError(.invalidContext, "invalid context: \(error.message)")
        }
        attributes = EntryObject(members)
        if let key = attributes[Self.targetingKeyName], key != .null {
            guard case .string(let text) = key else {
                throw EvaluationError(.invalidContext, "'targetingKey' must be a string, not \(key.kindName)")
            }
            targetingKey = text
        }
        attributes.setMember(Self.targetingKeyName, to: nil)
    }
}
