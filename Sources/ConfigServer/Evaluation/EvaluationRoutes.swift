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
        return try await evaluated(request, context) { [self] in try flagWork(key, $0, context) }
    }

    /// The same if it takes a fraction of a millisecond, so that it needs no turn.
    func quickFlag(_ request: Request, _ context: RouteContext) throws -> Reply? {
        let key = context.parameter("key")
        return try flagWork(key, request.bytes, context).quickValue()
    }

    private func flagWork(_ key: String, _ json: [UInt8], _ context: RouteContext) throws -> FlagWork {
        let audience = try EvaluationContext(ofrep: json)
        let flags = FlagReader(state: try state(of: context.namespace), context: audience, seconds: .secondsNow)
        return FlagWork(key: key, flags: flags, answers: answers)
    }

    /// All flags, for a program that has one user. The entity tag is made of the state's, the context and the address of the
    /// stream, and where a rule looks at the time of the flags as well.
    func evaluateFlags(_ request: Request, _ context: RouteContext) async throws -> Reply {
        try await evaluated(request, context) { [self] json in
            let lease = try AnswerLease(0, of: answers)
            return try AllFlagsWork(flagsCall(json, context), conditions: request.conditions, lease: lease)
        }
    }

    /// The same if it takes a fraction of a millisecond, so that it needs no turn.
    func quickFlags(_ request: Request, _ context: RouteContext) throws -> Reply? {
        let call = try flagsCall(request.bytes, context)
        if let known = call.known { return .json(known.body, tag: known.tag) }
        return try AllFlagsWork(call, conditions: request.conditions, lease: AnswerLease(0, of: answers)).quickValue()
    }

    private func flagsCall(_ json: [UInt8], _ context: RouteContext) throws -> AllFlagsCall {
        let (namespace, seconds) = (context.namespace, Int.secondsNow)
        let ticket = context.principal.token.map { StreamTicket(for: $0, namespace, at: seconds) }
        let events = StreamTopic.flagsAddress(namespace, ticket)
        return AllFlagsCall(json: json, state: try state(of: namespace), seconds: seconds, events: events)
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
    private func evaluated<Work: SteppedWork>(
        _ request: Request,
        _ context: RouteContext,
        _ parse: @escaping @Sendable ([UInt8]) throws -> Work
    ) async throws -> Reply where Work.Value == Reply {
        defer { request.body?.release() }
        if let body = request.body, body.count > Workers.shortBytes, !body.expand() { throw Problem.tooManyBodies }
        return try await workers.evaluated(request.body, for: context.caller, parse)
    }
}

/// The evaluation of one flag.
private struct FlagWork: SteppedWork {
    let key: String
    let flags: FlagReader
    let answers: MemoryBudget

    /// Work of this number of steps takes less than a turn costs, as does an answer of this size.
    private static let (quickSteps, quickBytes) = (200, 4096)

    /// The answer if it is found in a fraction of a millisecond.
    func quickValue() -> Reply? {
        guard flags.isQuick(key, bytes: Self.quickBytes) else { return nil }
        var budget = StepBudget(Self.quickSteps)
        let flag = flag(within: &budget)
        return budget.isSpent || flag?.count ?? 0 > Self.quickBytes ? nil : reply(flag)
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
        var json = JSONWriter(reservingBytes: flag.count + 32)
        flag.write(to: &json)
        return .json(json.bytes, status: flag.isFailure ? .badRequest : .ok)
    }
}

/// A request for all flags.
struct AllFlagsCall {
    /// The body.
    let json: [UInt8]
    let state: NamespaceState
    /// The time of the evaluation, since 1970.
    let seconds: Int
    /// The address of the stream, which is in the answer.
    let events: String

    /// The answer of an equal call, if there was one in this state.
    var known: RecentAnswers.Answer? { state.evaluations[key] }

    fileprivate func keep(_ answer: RecentAnswers.Answer) {
        if !state.readsTime { state.evaluations.keep(answer, to: key) }
    }

    private var key: [UInt8] { json + events.utf8 }
}

/// The evaluation of all flags, some in each step.
struct AllFlagsWork: SteppedWork {
    private let call: AllFlagsCall
    private let reader: FlagReader
    private let conditions: ReadConditions
    private let lease: AnswerLease

    private var rules: [CompiledRule]?
    private var tag: String?
    private var all: [NamespaceState.Flag] = []
    private var next = 0
    /// How far the rules that several flags have were evaluated, by their groups.
    private var beginnings: [Int: ConfigRule.Beginning?] = [:]
    private var flags = JSONArrayParts()
    private var budget = StepBudget.ofRequest

    /// - Throws: ``EvaluationError`` if the body has no valid context.
    init(_ call: AllFlagsCall, conditions: ReadConditions, lease: AnswerLease) throws(EvaluationError) {
        let context = try EvaluationContext(ofrep: call.json)
        reader = FlagReader(state: call.state, context: context, seconds: call.seconds)
        (self.call, self.conditions, self.lease) = (call, conditions, lease)
    }

    private var state: NamespaceState { reader.state }

    /// This number of steps takes a fraction of a millisecond, as does a response of this size.
    private static let (quickSteps, quickBytes) = (3000, 32 * 1024)

    /// The answer if it is found in a fraction of a millisecond.
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
        guard next < all.count else { return try end() }
        let (steps, bytes) = (budget.steps, flags.count)
        // Together they may take about as long as one flag.
        while next < all.count, steps - budget.steps < 1000, flags.count - bytes < 4096 {
            let beginning = beginning(of: all[next])
            let flag = reader.flag(all[next].key, all[next].rule, after: beginning, within: &budget)
            if let flag { flags.append(flag.write) }
            next += 1
        }
        try lease.grow(to: flags.count)
        return nil
    }

    /// How far the evaluation of a rule has come that several flags have: its conditions are evaluated once for all of them.
    private mutating func beginning(of flag: NamespaceState.Flag) -> ConfigRule.Beginning? {
        guard let group = flag.group else { return nil }
        if let known = beginnings[group] { return known }
        let beginning = flag.rule?.flag?.rule.begin(in: reader.context, at: reader.seconds, within: &budget)
        beginnings[group] = .some(beginning)
        return beginning
    }

    /// Compiles a rule, unless all have been.
    private mutating func compileNext() -> Bool {
        var rest = rules ?? state.uncompiledRules
        _ = rest.popLast()?.flag
        rules = rest
        return !rest.isEmpty
    }

    /// Makes the entity tag, and answers if the client has it.
    private mutating func begin() throws -> Reply? {
        let parts: [(key: String, value: EntryValue)] = [
            ("context", .object(reader.context.members)), ("events", .string(call.events)),
        ]
        let tag = "\(state.tag)-\(ConfigDigest(parts))"
        self.tag = tag
        if !state.readsTime, try conditions.isKnown(tag: tag) { return .json(ByteBuffer(), tag: tag) }
        all = state.flags
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
                    events: call.events
                )
            ),
            tag: tag
        )
        call.keep((reply.body, tag))
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
