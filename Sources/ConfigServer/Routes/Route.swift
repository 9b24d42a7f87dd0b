// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigWire

/// A route: its declaration, and the code that answers.
struct Route: Sendable {
    typealias Handler = @Sendable (ServerServices, Request, RouteContext) async throws -> Reply
    typealias QuickHandler = @Sendable (ServerServices, Request, RouteContext) throws -> Reply?

    let declaration: WireRoute
    let handler: Handler
    /// Answers on the event loop, without a task, what takes a fraction of a millisecond; returns `nil` for the handler.
    let quick: QuickHandler?
    /// The media types that a body may have; none without a body.
    let bodyTypes: [MediaTypeName]
    /// Whether the work is short where the body is, whatever the server contains. Longer work is handed to ``Workers``.
    let isShort: Bool

    /// - Parameter isShort: by default, for writes.
    init(_ declaration: WireRoute, isShort: Bool? = nil, quick: QuickHandler? = nil, _ handler: @escaping Handler) {
        (self.declaration, self.handler, self.quick) = (declaration, handler, quick)
        self.isShort = isShort ?? (declaration.access == .namespace(.write))
        bodyTypes = (declaration.hasBody ? [.json] : []) + (declaration.acceptsForm ? [.form] : [])
    }
}

extension Route {
    /// All routes. `Documentation/Server.md` lists them in this order.
    static let all: [Route] = [
        // The configuration of a namespace.
        Route(.config) { try await $0.config($1, $2) },
        Route(.events) { _, request, _ in
            _ = (try request.target.wantsSchemas(), try request.target.wantsDrafts())
            throw Problem.unusualTarget
        },
        Route(.entries) { try await $0.entries(.value, $1, $2) },
        Route(.patchEntries) { try await $0.patch($1, $2) },
        Route(.entry) { try $0.entry(.value, $2) },
        Route(.putEntry) { try await $0.put(.value, $1, $2) },
        Route(.deleteEntry) { try await $0.unset(.value, $1, $2) },
        Route(.schemas) { try await $0.entries(.schema, $1, $2) },
        Route(.schema) { try $0.entry(.schema, $2) },
        Route(.putSchema) { try await $0.put(.schema, $1, $2) },
        Route(.deleteSchema) { try await $0.unset(.schema, $1, $2) },
        Route(.rules) { try await $0.entries(.rule, $1, $2) },
        Route(.rule) { try $0.entry(.rule, $2) },
        Route(.putRule) { try await $0.put(.rule, $1, $2) },
        Route(.deleteRule) { try await $0.unset(.rule, $1, $2) },
        Route(.evaluate) { try await $0.evaluate($1, $2) },
        Route(.history) { try await $0.history($1, $2) },
        Route(.rollback) { try await $0.rollback($1, $2) },
        Route(.drafts) { try await $0.drafts($1, $2) },
        Route(.createDraft, isShort: false) { try await $0.createDraft($1, $2) },
        Route(.draft) { try await $0.draft($2) },
        Route(.editDraft, isShort: false) { try await $0.editDraft($1, $2) },
        Route(.rebaseDraft, isShort: false) { try await $0.rebaseDraft($1, $2) },
        Route(.reviewDraft) { try await $0.reviewDraft($1, $2) },
        Route(.applyDraft) { try await $0.applyDraft($1, $2) },
        Route(.closeDraft, isShort: false) { try await $0.closeDraft($1, $2) },
        Route(.draftConfig) { try await $0.draftConfig($1, $2) },
        Route(.draftEvents) { _, _, _ in throw Problem.unusualTarget },
        Route(.policy) { try await $0.policy($2) },
        Route(.putPolicy) { try await $0.putPolicy($1, $2) },
        Route(.document) { try await $0.document($1, $2) },
        // OpenFeature's protocol (OFREP).
        Route(.flag, quick: { try $0.quickFlag($1, $2) }) { try await $0.evaluateFlag($1, $2) },
        Route(.flags, quick: { try $0.quickFlags($1, $2) }) { try await $0.evaluateFlags($1, $2) },
        Route(.namespaceFlag, quick: { try $0.quickFlag($1, $2) }) { try await $0.evaluateFlag($1, $2) },
        Route(.namespaceFlags, quick: { try $0.quickFlags($1, $2) }) { try await $0.evaluateFlags($1, $2) },
        Route(.flagEvents) { _, _, _ in throw Problem.unusualTarget },
        // The legacy table, which is the namespace `default`.
        Route(.table) { try await $0.table($2) },
        Route(.tableChanges) { try await $0.tableChanges($2) },
        Route(.insertRow) { try await $0.insertRow($1, $2) },
        // The server.
        Route(.server) { services, _, context in try services.info(context) },
        Route(.metrics) { services, _, context in await services.metricsText(context) },
        Route(.welcome) { _, _, _ in .greeting },
        Route(.health, isShort: true) { _, _, _ in .status("ok") },
        Route(.ready) { services, _, _ in try await services.ready() },
        Route(.description) { _, _, _ in .json(interface) },
    ]

    /// The declarations of all routes.
    static let declarations: [WireRoute] = all.map(\.declaration)

    private static let interface: [UInt8] = OpenAPIDocument(of: declarations).json
}
