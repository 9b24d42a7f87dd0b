// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigRules
internal import ConfigStore
internal import ConfigWire
internal import NIOCore
internal import NIOHTTP1

/// Evaluation of flags: OpenFeature's protocol (OFREP), and drafts of rules.
///
/// All of it is computed in turns with other callers, and within limits for the whole request: of steps, of bytes and of time.
extension ServerServices {
    /// One flag, for a program that sends a request for each evaluation.
    func evaluateFlag(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let key = context.parameter("key")
        return try await evaluated(request, context, key: key) { [self] json in
            FlagWork(key: key, flags: try flags(json, context), answers: answers)
        }
    }

    /// All flags, for a program that has one user. The entity tag is made of the state's, the context and the address of the
    /// stream, and where a rule looks at the time of the flags as well.
    func evaluateFlags(_ request: Request, _ context: RouteContext) async throws -> Reply {
        try await evaluated(request, context) { [self] json in
            let flags = try flags(json, context)
            let namespace = flags.state.namespace
            let ticket = context.principal.token.map { StreamTicket(for: $0, namespace, at: flags.seconds) }
            return AllFlagsWork(
                flags,
                conditions: request.conditions,
                events: StreamTopic.flagsAddress(namespace, ticket),
                lease: try AnswerLease(0, of: answers)
            )
        }
    }

    /// The flags for the context of a request's body, as of now.
    private func flags(_ json: [UInt8], _ context: RouteContext) throws -> FlagReader {
        let audience = try EvaluationContext(ofrep: json)
        return FlagReader(state: try state(of: context.namespace), context: audience, seconds: .secondsNow)
    }

    /// A rule, or a draft of one, for many contexts.
    func evaluate(_ request: Request, _ context: RouteContext) async throws -> Reply {
        try await evaluated(request, context) { [self] json in
            ResultsWork(
                request: try EvaluationRequest(json: json, readContext: EvaluationContext.init(drafted:)),
                state: try state(of: context.namespace),
                seconds: .secondsNow,
                maximumBytes: limits.evaluationBytes,
                lease: try AnswerLease(0, of: answers)
            )
        }
    }

    /// Performs the work of a request's body. Until then, the body counts in the budget at its parsed size.
    ///
    /// - Parameter key: the flag that an error of the evaluation names.
    private func evaluated<Work: SteppedWork>(
        _ request: Request,
        _ context: RouteContext,
        key: String? = nil,
        _ parse: @escaping @Sendable ([UInt8]) throws -> Work
    ) async throws -> Reply where Work.Value == Reply {
        defer { request.body?.release() }
        if let body = request.body, body.count > Workers.shortBytes, !body.expand() { throw Problem.tooManyBodies }
        do {
            return try await workers.evaluated(request.body, for: context.caller, parse)
        } catch let error as EvaluationError {
            return .json(OFREPFailure(key: key, error).json, status: .badRequest)
        }
    }
}

/// The evaluation of one flag.
private struct FlagWork: SteppedWork {
    let key: String
    let flags: FlagReader
    let answers: MemoryBudget

    /// Work of this number of steps takes a fraction of a millisecond, less than a turn costs, as does an answer of this size.
    private static let (quickSteps, quickBytes) = (1000, 4096)

    func quickValue() -> Reply? {
        guard flags.state.isReadyToEvaluate(key) else { return nil }
        var budget = StepBudget(Self.quickSteps)
        let flag = flag(within: &budget)
        return budget.isSpent || flag?.isLonger(than: Self.quickBytes) == true ? nil : reply(flag)
    }

    mutating func step() throws -> Reply? {
        var budget = StepBudget.ofRequest
        var reply = reply(flag(within: &budget))
        reply.lease = try AnswerLease(reply.body.readableBytes, of: answers)
        return reply
    }

    private func flag(within budget: inout StepBudget) -> FlagEvaluation? {
        // No other text is a key, though Swift takes the Kelvin sign for a K.
        guard KeyRule.problem(in: key) == nil else { return nil }
        return flags.flag(key, within: &budget)
    }

    private func reply(_ flag: FlagEvaluation?) -> Reply {
        guard let flag else {
            let message = "flag '\(key.excerpt(ofScalars: 130))' not found"
            let error = EvaluationError(.flagNotFound, message)
            return .json(OFREPFailure(key: key, error).json, status: .notFound)
        }
        if let error = flag.evaluation.error { return .json(OFREPFailure(key: key, error).json, status: .badRequest) }
        return .json(JSONWriter.object(flag.writeMembers))
    }
}

/// The evaluation of all flags, some in each step.
struct AllFlagsWork: SteppedWork {
    private let reader: FlagReader
    private let conditions: ReadConditions
    /// The address of the stream, which is in the answer.
    private let events: String
    private let lease: AnswerLease

    private var rules: [CompiledRule]?
    private var tag: String?
    private var keys: [String] = []
    private var next = 0
    private var flags = JSONArrayParts()
    private var budget = StepBudget.ofRequest

    init(_ reader: FlagReader, conditions: ReadConditions, events: String, lease: AnswerLease) {
        (self.reader, self.conditions, self.events, self.lease) = (reader, conditions, events, lease)
    }

    private var state: NamespaceState { reader.state }

    /// This number of steps takes a fraction of a millisecond, as does a response of this size.
    private static let (quickSteps, quickBytes) = (3000, 32 * 1024)

    func quickValue() throws -> Reply? {
        guard state.maximumFlags <= 1000, state.uncompiledRules.isEmpty else { return nil }
        var attempt = self
        attempt.budget = StepBudget(Self.quickSteps)
        while attempt.flags.count < Self.quickBytes {
            let reply = try attempt.step()
            if attempt.budget.isSpent { return nil }
            if let reply { return reply }
        }
        return nil
    }

    mutating func step() throws -> Reply? {
        if tag == nil { return compileNext() ? nil : try begin() }
        guard next < keys.count else { return try end() }
        let (steps, bytes) = (budget.steps, flags.count)
        // Together they may take about as long as one flag.
        while next < keys.count, steps - budget.steps < 1000, flags.count - bytes < 4096 {
            let flag = reader.flag(keys[next], within: &budget)
            if let flag { flags.append { $0.object(flag.writeMembers) } }
            next += 1
        }
        try lease.grow(to: flags.count)
        return nil
    }

    /// Compiles a rule, unless all have been.
    private mutating func compileNext() -> Bool {
        var rest = rules ?? state.uncompiledRules
        _ = rest.popLast()?.rule
        rules = rest
        return !rest.isEmpty
    }

    /// Makes the entity tag, and answers if the client has it.
    private mutating func begin() throws -> Reply? {
        let parts: [(key: String, value: EntryValue)] = [
            ("context", .object(reader.context.members)), ("events", .string(events)),
        ]
        let tag = "\(state.tag)-\(ConfigDigest(parts))"
        self.tag = tag
        if !state.readsTime, try conditions.isKnown(tag: tag) { return .json(ByteBuffer(), tag: tag) }
        keys = state.flagKeys
        return nil
    }

    private func end() throws -> Reply {
        let json = flags.json
        var tag = tag ?? state.tag
        if state.readsTime {
            var message = json
            tag += "-" + SHA256.firstEightBytes(ofHashOf: &message).hexDigits
        }
        var reply = Reply.json(
            ByteBuffer(
                bytes: OFREPFlags.json(
                    flags: json,
                    namespace: state.namespace,
                    revision: state.revision,
                    events: events
                )
            ),
            tag: tag
        )
        try lease.resize(to: reply.body.readableBytes)
        reply.lease = lease
        return reply
    }
}

/// The evaluation of a rule for many contexts, one in each step.
private struct ResultsWork: SteppedWork {
    let request: EvaluationRequest<EvaluationContext>
    let state: NamespaceState
    let seconds: Int
    let maximumBytes: Int
    let lease: AnswerLease

    fileprivate var rule: ConfigRule?
    fileprivate var next = 0
    fileprivate var results = JSONArrayParts()
    fileprivate var budget = StepBudget.ofRequest

    mutating func step() throws -> Reply? {
        guard let rule else {
            rule = try state.rule(of: request)
            return nil
        }
        guard next < request.contexts.count else {
            return try end()
        }
        try append(rule, request.contexts[next])
        next += 1
        return nil
    }

    private func end() throws -> Reply {
        var reply = Reply.json(Evaluations.json(key: request.key, results: results.json))
        try lease.resize(to: reply.body.readableBytes)
        reply.lease = lease
        return reply
    }

    private mutating func append(_ rule: ConfigRule, _ context: EvaluationContext) throws(Problem) {
        let explanation = rule.explain(key: request.key, in: context, at: seconds, within: &budget)
        results.append { array in
            array.object { object in
                object.member("targetingKey") { $0.optional(context.targetingKey) { $0.string($1) } }
                explanation.evaluation.writeMembers(to: &object)
                if request.isExplained { RuleExplanation.writeSteps(of: explanation, to: &object) }
            }
        }
        guard results.count <= maximumBytes else { throw tooLong }
        try lease.grow(to: results.count)
    }

    private var tooLong: Problem {
        let advice = "send fewer contexts per request" + (request.isExplained ? ", or omit 'explain'" : "")
        return Problem(
            .unprocessableEntity,
            "answer-too-large",
            "the results of \(next + 1) of \(request.contexts.count) contexts exceed \(maximumBytes) bytes; \(advice)",
            field: "contexts"
        )
    }
}

/// A JSON array that is written in parts.
private struct JSONArrayParts {
    private var elements = JSONWriter()

    /// The size of the array, in bytes.
    var count: Int { elements.bytes.count + 2 }

    mutating func append(_ writeElement: (inout JSONWriter) -> Void) { writeElement(&elements) }

    var json: [UInt8] { [UInt8(ascii: "[")] + elements.bytes + [UInt8(ascii: "]")] }
}

extension NamespaceState {
    /// The rule that a request is about.
    ///
    /// - Throws: ``Problem`` with the status 404 if the key has none, and 422 for a draft that cannot be evaluated.
    fileprivate func rule(of request: EvaluationRequest<EvaluationContext>) throws(Problem) -> ConfigRule {
        guard let value = request.rule ?? stored(EntryKind.rule.key(of: request.key))?.value else {
            throw Problem(.notFound, "unknown-rule", "the key has no rule; send a draft in 'rule'", key: request.key)
        }
        do throws(RuleError) {
            let evaluators = try request.evaluators.map(RuleEvaluators.init) ?? self.evaluators
            return try ConfigRule(value, evaluators: evaluators)
        } catch {
            throw .invalid(
                error.faults.map { ViolationMessage(rule: request.key, pointer: $0.pointer, message: $0.message) }
            )
        }
    }
}

extension StepBudget {
    /// A request may take 5,000,000 steps, some hundreds of milliseconds: 10,000 contexts of 500 steps each.
    fileprivate static let ofRequest = StepBudget(
        5_000_000,
        message: "the evaluations of this request exceed the step limit; request fewer at a time"
    )
}
