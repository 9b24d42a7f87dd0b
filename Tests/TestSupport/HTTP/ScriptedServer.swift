// SPDX-License-Identifier: Apache-2.0

package import Foundation
import Synchronization

/// A server on this machine that sends exactly the bytes that a test specifies, whether they are HTTP or not.
///
/// ```swift
/// let server = try ScriptedServer { connection, request in
///     connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nnot as much as that")
/// }
/// ```
///
/// The script is called for each request, on a thread of the connection's own, so it may block. When it returns, the
/// connection waits for the next request, unless the script has closed it.
package final class ScriptedServer: Sendable {
    /// The handler of a request.
    package typealias Script = @Sendable (ScriptedConnection, ScriptedRequest) throws -> Void

    /// The port on 127.0.0.1.
    package let port: Int
    private let floor: Floor

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - port: the port; 0 for any that is free.
    ///   - script: what to do with each request.
    package init(port: Int = 0, _ script: @escaping Script) throws {
        let (listener, port) = try OwnedDescriptor.listening(port: port)
        self.port = port
        floor = Floor(listener: listener, script: script)
        Thread.detachNewThread { [floor] in floor.welcome() }
    }

    /// Starts to listen on a Unix socket.
    ///
    /// - Parameters:
    ///   - path: where the socket is made.
    ///   - script: what to do with each request.
    package init(socket path: String, _ script: @escaping Script) throws {
        port = 0
        floor = Floor(listener: try OwnedDescriptor.listening(socket: path), script: script)
        Thread.detachNewThread { [floor] in floor.welcome() }
    }

    /// The servers stopped by a test, which keep their ports, so that no other server answers there.
    private static let stopped = Mutex<[Floor]>([])

    deinit { floor.close() }

    /// The number of connections so far.
    package var connectionCount: Int { floor.state.withLock(\.connectionCount) }

    /// The number of open connections.
    package var openConnectionCount: Int { floor.state.withLock(\.open.count) }

    /// All requests so far.
    package var requests: [ScriptedRequest] { floor.state.withLock(\.requests) }

    /// `http://127.0.0.1:PORT` and a path.
    package func url(_ path: String = "/") -> URL {
        URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(filePath: "/")
    }

    /// Closes everything. Connecting fails from now on.
    package func stop() {
        floor.close()
        Self.stopped.withLock { $0.append(floor) }
    }
}

/// The listener of the connections, as long as there are any.
private final class Floor: Sendable {
    let state = Mutex(State())
    private let listener: OwnedDescriptor
    private let script: ScriptedServer.Script

    struct State {
        var requests: [ScriptedRequest] = []
        var connectionCount = 0
        var open: [ObjectIdentifier: ScriptedConnection] = [:]
        var isClosed = false
    }

    init(listener: OwnedDescriptor, script: @escaping ScriptedServer.Script) {
        (self.listener, self.script) = (listener, script)
    }

    func welcome() {
        while let descriptor = listener.accept(), let connection = admit(descriptor) {
            Thread.detachNewThread { self.serve(connection) }
        }
        listener.shutDown()
    }

    func close() {
        let open = state.withLock { state in
            state.isClosed = true
            return Array(state.open.values)
        }
        listener.shutDown()
        for connection in open { connection.close() }
    }

    /// - Returns: `nil` once all is closed.
    private func admit(_ descriptor: OwnedDescriptor) -> ScriptedConnection? {
        let connection = ScriptedConnection(descriptor)
        return state.withLock { state in
            guard !state.isClosed else { return nil }
            state.connectionCount += 1
            state.open[ObjectIdentifier(connection)] = connection
            return connection
        }
    }

    private func serve(_ connection: ScriptedConnection) {
        defer {
            connection.close()
            _ = state.withLock { $0.open.removeValue(forKey: ObjectIdentifier(connection)) }
        }
        while let request = connection.readRequest() {
            state.withLock { $0.requests.append(request) }
            do { try script(connection, request) } catch { return }
        }
    }
}
