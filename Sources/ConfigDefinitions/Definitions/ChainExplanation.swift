// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// The explanation of a definition's value: the result of each link.
public struct ChainExplanation: Hashable, Sendable {
    /// The result of one link.
    package enum Finding: Hashable, Sendable {
        /// It overrides with this value, shown as text.
        case value(String)
        /// It has a value that cannot be used, and overrides with its last good one, shown as text.
        case lastGood(String, ConfigError)
        /// It has no override.
        case noOverride
        /// A value that cannot be used; the next link was evaluated.
        case problem(ConfigError)
    }

    /// A link and its result.
    package struct Step: Hashable, Sendable {
        /// The link's name, such as `remote app.title`.
        package let link: String
        /// The origin of the value, such as `config.json`, if the link knows more than its name.
        package let origin: String?
        /// The result of the link.
        package let finding: Finding
    }

    /// The definition's id.
    public let id: String
    /// The value's type as a user reads it.
    public let typeName: String
    /// All links in the order of evaluation, including those after the deciding one.
    package let steps: [Step]
    /// The index of the deciding step; `nil` for the default.
    package let answeredBy: Int?
    /// The value, shown as text.
    public let value: String
    /// The default, shown as text.
    public let defaultValue: String
}

extension ChainExplanation {
    /// Whether no link has an override that can be used.
    public var isDefault: Bool { answeredBy == nil }

    /// The problems of unusable overrides, in the order of evaluation.
    public var problems: [ConfigError] {
        steps.compactMap { step in
            switch step.finding {
            case .lastGood(_, let error), .problem(let error): error
            case .value, .noOverride: nil
            }
        }
    }
}

extension ChainExplanation: CustomStringConvertible {
    /// One line for the value, and one for each link and the default; an arrow marks what answered.
    public var description: String {
        var lines = ["\(id) = \(value)"]
        for (index, step) in steps.enumerated() {
            let origin = step.origin.map { " from \($0)" } ?? ""
            lines.append((index == answeredBy ? "→ " : "  ") + step.link + origin + ": " + step.finding.description)
        }
        lines.append((answeredBy == nil ? "→ " : "  ") + "default: " + defaultValue)
        return lines.joined(separator: "\n")
    }
}

extension ChainExplanation.Finding: CustomStringConvertible {
    /// The value, `no override`, the problem, or a last good value with the problem.
    package var description: String {
        switch self {
        case .value(let text): text
        case .lastGood(let text, let error): "\(text), last good value (\(error))"
        case .noOverride: "no override"
        case .problem(let error): error.description
        }
    }
}

extension ConfigDefinition {
    /// Evaluates every link against one snapshot, and reports which of them decides.
    package func explain(from inputs: LinkInputs) -> ChainExplanation {
        let inputs = inputs.readingOnce()
        var steps: [ChainExplanation.Step] = []
        var answeredBy: Int?
        var value = defaultValue
        for link in links.reversed() {
            let (finding, answer) = self.finding(of: link, from: inputs)
            if answeredBy == nil, case .value(let answer) = answer {
                answeredBy = steps.count
                value = answer
            }
            let origin = finding == .noOverride ? nil : link.origin(in: inputs)
            steps.append(ChainExplanation.Step(link: link.name, origin: origin, finding: finding))
        }
        return ChainExplanation(
            id: id,
            typeName: ValueDescription.typeName(of: Value.self),
            steps: steps,
            answeredBy: answeredBy,
            value: shown(value),
            defaultValue: shown(defaultValue)
        )
    }

    private func finding(
        of link: any ConfigLink<Value>,
        from inputs: LinkInputs
    ) -> (ChainExplanation.Finding, Override<Value>) {
        switch link.result(from: inputs) {
        case .success(.value(let value)):
            let problem = link.problem(in: inputs).map(shown)
            return (problem.map { .lastGood(shown(value), $0) } ?? .value(shown(value)), .value(value))
        case .success(.noOverride):
            return (link.problem(in: inputs).map { .problem(shown($0)) } ?? .noOverride, .noOverride)
        case .failure(let error): return (.problem(shown(error)), .noOverride)
        }
    }

    private func shown(_ error: ConfigError) -> ConfigError {
        // The message may quote the value.
        isSecret ? ConfigError(error.code, "invalid value", key: error.key) : error
    }

    private func shown(_ value: Value) -> String {
        isSecret ? "secret" : ValueDescription.text(of: value)
    }
}
