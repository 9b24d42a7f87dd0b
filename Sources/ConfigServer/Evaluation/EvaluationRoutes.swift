// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import ConfigStore
internal import HashTreeCollections
internal import NIOCore
internal import NIOHTTP1

/// Who gets which value: OpenFeature's protocol (OFREP), and the evaluation of drafts.
extension ServerServices {
    /// One flag, for a program that asks for each evaluation.
    func evaluateFlag(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let segment = context.parameters.get("key") ?? ""
        let key = segment.percentDecoded() ?? String(segment)
        do {
            let audience = try await audience(of: request)
            let state = try state(of: context.namespace)
            var budget = StepBudget.ofRequest
            // No other text is a key, though Swift takes the Kelvin sign for a K.
            guard KeyRule.problem(in: key) == nil,
                let flag = state.flag(key, in: audience, at: .secondsNow, within: &budget)
            else {
                let message = "there is no flag '\(key.excerpt(ofScalars: 130))'"
                return .failure(EvaluationError(.flagNotFound, message), key: key, .notFound)
            }
            if let error = flag.evaluation.error { return .failure(error, key: key) }
            return .json(JSONWriter.object(flag.writeMembers))
        } catch let error as EvaluationError {
            return .failure(error, key: key)
        }
    }

    /// All flags, for a program that has one user. The entity tag stands for the rules and for the context, and where a rule
    /// looks at the time for the flags as well.
    func evaluateFlags(_ request: Request, _ context: RouteContext) async throws -> Reply {
        do {
            let audience = try await audience(of: request)
            let state = try state(of: context.namespace)
            let now = Int.secondsNow
            var suffix = "-\(ConfigDigest([(key: "context", value: .object(audience.members))]))"
            var early: [UInt8]?
            if state.mayReadTime {
                early = await workers.evaluated(state) {
                    state.readsTime ? state.flagsJSON(in: audience, at: now) : nil
                }
            }
            if let early { suffix += "-" + SHA256.shortHash(of: early) }
            let ticket = context.principal.token.map { StreamTicket(for: $0, state.namespace, at: now) }
            return try await tagged(state, request, suffix: suffix, evaluates: true) { [early] in
                let flags = early ?? state.flagsJSON(in: audience, at: now)
                return ByteBuffer(bytes: state.answerJSON(flags, StreamTopic.flagsAddress(state.namespace, ticket)))
            }
        } catch let error as EvaluationError {
            return .failure(error, key: nil)
        }
    }

    private func audience(of request: Request) async throws -> EvaluationContext {
        try await body(of: request) { (json) throws(EvaluationError) in try EvaluationContext(ofrep: json) }
    }

    /// A rule, or a draft of one, for many contexts.
    func evaluate(_ request: Request, _ context: RouteContext) async throws -> Reply {
        let body = try await body(of: request, EvaluationRequest.init(json:))
        let state = try state(of: context.namespace)
        let rule = try state.rule(of: body)
        return await workers.evaluated { Reply.json(rule.results(of: body, at: .secondsNow)) }
    }
}

extension NamespaceState {
    /// All flags, as an array.
    fileprivate func flagsJSON(in context: EvaluationContext, at seconds: Int) -> [UInt8] {
        var json = JSONWriter()
        var budget = StepBudget.ofRequest
        json.array { array in
            for key in flagKeys {
                guard let flag = flag(key, in: context, at: seconds, within: &budget) else { continue }
                array.object(flag.writeMembers)
            }
        }
        return json.bytes
    }

    /// The answer with all flags, which tells where to hear of changes.
    fileprivate func answerJSON(_ flags: [UInt8], _ events: String) -> [UInt8] {
        JSONWriter.object(reservingBytes: flags.count + 512) { object in
            object.member("flags") { $0.raw(flags) }
            object.member("metadata") { member in
                member.object { metadata in
                    metadata.member("namespace") { $0.string(namespace) }
                    metadata.member("revision") { $0.number(revision) }
                }
            }
            object.member("eventStreams", each: [events]) { address, array in
                array.object { stream in
                    stream.member("type") { $0.string("sse") }
                    // The client knows by which origin it reaches this server.
                    stream.member("endpoint") { $0.object { $0.member("requestUri") { $0.string(address) } } }
                    stream.member("inactivityDelaySec") { $0.number(120) }
                }
            }
        }
    }

    /// The rule that a request is about.
    ///
    /// - Throws: ``Problem`` with the status 404 if the key has none, and 422 for a draft that cannot be evaluated.
    fileprivate func rule(of request: EvaluationRequest) throws(Problem) -> ConfigRule {
        guard let value = request.rule ?? rules[request.key]?.value else {
            throw Problem(.notFound, "unknown-rule", "the key has no rule; send one as 'rule'", key: request.key)
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

extension ConfigRule {
    fileprivate func results(of request: EvaluationRequest, at seconds: Int) -> [UInt8] {
        var budget = StepBudget.ofRequest
        return JSONWriter.object { object in
            object.member("key") { $0.string(request.key) }
            object.member("results", each: request.contexts) { context, array in
                array.object { object in
                    object.member("targetingKey") { $0.optional(context.targetingKey) { $0.string($1) } }
                    let explanation = explain(key: request.key, in: context, at: seconds, within: &budget)
                    explanation.evaluation.writeMembers(to: &object)
                    if request.isExplained { RuleExplanation.writeSteps(of: explanation, to: &object) }
                }
            }
        }
    }
}

extension Reply {
    /// OFREP's `evaluationFailure`.
    fileprivate static func failure(
        _ error: EvaluationError,
        key: String?,
        _ status: HTTPResponseStatus = .badRequest
    ) -> Reply {
        let json = JSONWriter.object { object in
            if let key { object.member("key") { $0.string(key) } }
            error.writeMembers(to: &object)
        }
        return .json(json, status: status)
    }
}

extension StepBudget {
    /// A request may take 5,000,000 steps, some hundreds of milliseconds: 10,000 contexts of 500 steps each.
    fileprivate static let ofRequest = StepBudget(5_000_000)
}

extension SHA256 {
    fileprivate static func shortHash(of bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish().prefix(8).hexDigits
    }
}
