// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigWire
internal import NIOHTTP1

/// A request as the routes read it.
struct Request: Sendable {
    let head: HTTPRequestHead
    let target: RequestTarget
    let conditions: ReadConditions
    /// `nil` until a part of it has come, and for a route that has none.
    var body: RequestBody?

    init(_ head: HTTPRequestHead, _ conditions: ReadConditions) {
        (self.head, self.conditions) = (head, conditions)
        target = RequestTarget(head.uri)
    }

    /// The bytes of a short body; none without one.
    var bytes: [UInt8] { body?.bytes ?? [] }
}

/// The information about a request besides its contents.
struct RouteContext: Sendable {
    let client: ClientAddress
    private let connection: ObjectIdentifier
    /// The parameters of the path.
    let parameters: RoutePattern.Parameters
    private(set) var principal = Principal(token: nil)
    /// The namespace in the path.
    private(set) var namespace = NamespaceRule.standard
    /// Whether memory has the revision that the client has seen.
    var catchUp = CatchUp.done
    private var access = Access.open
    private var authorization: String?
    /// The reason for a change that needs a review, without one.
    private(set) var emergency: String?

    init(client: ClientAddress, connection: ObjectIdentifier, parameters: RoutePattern.Parameters) {
        (self.client, self.connection, self.parameters) = (client, connection, parameters)
    }

    /// The sender, as the workers share their time.
    var caller: Caller {
        let party = principal.token.map { Caller.Party.token($0.hash) } ?? .network(client.network)
        return Caller(account: Caller.Account(party: party), connection: connection)
    }

    /// Reads the namespace from the path, and checks whether the sender may use the route.
    mutating func enter(_ fields: RequestFields, _ route: WireRoute, _ services: ServerServices) throws(Problem) {
        if parameters["ns"] != nil { namespace = parameter("ns") }
        access = route.access
        emergency = fields.emergency
        authorization = route.isEvaluation ? fields.authorizationOrKey : fields.authorization
        if route.isEvaluation, parameters["ns"] == nil, let name = fields.namespace { namespace = name }
        principal = try authorize(services)
        if let problem = NamespaceRule.problem(in: namespace) {
            throw Problem(.badRequest, "invalid-namespace", "the namespace \(problem)", field: "ns")
        }
        if route.hasBody, !route.isRead, let problem = NamespaceRule.reservation(of: namespace) {
            throw Problem(.badRequest, "reserved-namespace", "the namespace \(problem)", field: "ns")
        }
    }

    /// Checks whether the sender may use the route: again after a wait, since tokens may have changed.
    @discardableResult
    func authorize(_ services: ServerServices) throws(Problem) -> Principal {
        try services.authorize(access, namespace: namespace, authorization: authorization, client: client)
    }

    /// A parameter of the path, decoded; as it is if it is not UTF-8, which no name is then.
    func parameter(_ name: String) -> String {
        let segment = parameters[name] ?? ""
        return segment.percentDecoded() ?? String(segment)
    }
}

extension HTTPHeaders {
    /// The value of a field; several lines are joined as one list.
    func joined(_ name: String) -> String? {
        // Most fields that a server looks for are missing, and this copies none.
        guard contains(name: name) else { return nil }
        return self[name].joined(separator: ", ")
    }
}

extension Problem {
    static func invalidParameter(_ field: String, _ detail: String) -> Problem {
        Problem(.badRequest, "invalid-parameter", detail, field: field)
    }
}
