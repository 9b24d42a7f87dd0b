// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import TestSupport

/// A client that sends many requests at once and reads the statuses of the answers, and not much else: it has to be
/// quicker than the server that it tests.
final class PipelinedClient {
    private let port: Int
    private var connection: WireConnection?
    private var received: [UInt8] = []
    private var start = 0

    init(port: Int) {
        self.port = port
    }

    /// Sends the requests and reads their answers, until all are there or the server ends the connection.
    ///
    /// - Returns: the statuses of the first requests; fewer than there are requests if the connection was ended.
    func statuses(of requests: [RequestGenerator.Request]) throws -> [Int] {
        let connection = try connection ?? WireConnection(port: port)
        self.connection = connection
        // A request that has ended the connection has its reason in the response.
        connection.send(requests.flatMap(\.bytes))
        var statuses: [Int] = []
        for request in requests {
            guard let status = try answer(on: connection, hasBody: !request.isHead) else {
                disconnect()
                break
            }
            statuses.append(status)
        }
        return statuses
    }

    private func disconnect() {
        connection = nil
        received = []
        start = 0
    }

    /// The status of the next answer; `nil` at the end of the connection.
    private func answer(on connection: WireConnection, hasBody: Bool) throws -> Int? {
        while true {
            var status: Int32 = 0
            let length = received[start...].withUnsafeBytes {
                livery_http_answer($0.baseAddress, $0.count, hasBody ? 1 : 0, &status)
            }
            if length > 0 {
                start += length
                return Int(status)
            }
            guard length == 0 else {
                throw FixtureError("this is no answer: \(String(decoding: received[start...].prefix(300), as: UTF8.self))")
            }
            received.removeFirst(start)
            start = 0
            guard let bytes = try connection.bytes() else { return nil }
            received += bytes
        }
    }
}
