// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import Synchronization
import TestSupport

/// An HTTP server with a document or with flags (OFREP), and with the failures that the test sets.
final class FlagHost: Sendable {
    enum Fault: CaseIterable {
        /// 503.
        case refusing
        /// Closes the connection before the response.
        case cutting
        /// Closes the connection within the body.
        case halving
        /// A body that is not JSON.
        case babbling
        /// Responds when the failure ends, with the content at the time of the request.
        case holding
        /// Redirects to another origin (307).
        case redirecting
    }

    /// The body for a user, and its entity tag.
    typealias Content = @Sendable (_ user: String) -> (body: String, tag: String)

    private struct State {
        var fault: Fault?
        var held: [DispatchSemaphore] = []
    }

    private let state = SharedState(State())
    private let server: ScriptedServer

    /// - Parameters:
    ///   - other: The target of redirects.
    ///   - content: Makes the body.
    init(redirectingTo other: URL, _ content: @escaping Content) throws {
        server = try ScriptedServer { [state] connection, request in
            let (body, tag) = content(Self.user(of: request))
            var fields = ["Content-Type": "application/json", "ETag": tag]
            let (fault, hold) = state.value.withLock { state in
                let hold = state.fault == .holding ? DispatchSemaphore(value: 0) : nil
                if let hold { state.held.append(hold) }
                return (state.fault, hold)
            }
            hold?.wait()
            switch fault {
            case .refusing: return try connection.respond("503 Service Unavailable")
            case .cutting: return connection.close()
            case .halving:
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body.prefix(20))")
                return connection.close()
            case .babbling:
                fields["ETag"] = "\"babble\""
                return try connection.respond("200 OK", fields, "{")
            case .redirecting:
                fields["Location"] = other.absoluteString
                return try connection.respond("307 Temporary Redirect", fields)
            case .holding, nil: break
            }
            if request["if-none-match"] == tag { return try connection.respond("304 Not Modified", ["ETag": tag]) }
            try connection.respond("200 OK", fields, body)
        }
    }

    var url: URL { server.url() }

    var fault: Fault? {
        get { state.value.withLock(\.fault) }
        set {
            let held = state.value.withLock { state in
                defer { if newValue != .holding { state.held = [] } }
                state.fault = newValue
                return newValue == .holding ? [] : state.held
            }
            for answer in held { answer.signal() }
        }
    }

    func stop() {
        fault = nil
        server.stop()
    }

    private static func user(of request: ScriptedRequest) -> String {
        guard case .object(let members)? = try? EntryValue(json: request.body),
            case .object(let context)? = members["context"],
            case .string(let user)? = context["targetingKey"]
        else { return "" }
        return user
    }
}

/// A mutex that a closure can capture.
private final class SharedState<Value: Sendable>: Sendable {
    let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
}
