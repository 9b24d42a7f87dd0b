// SPDX-License-Identifier: Apache-2.0

import ConfigStore
import Testing

/// The bytes that a client sends on a separate connection, and the expected response.
struct RawExchange: Sendable, CustomTestStringConvertible {
    /// An answer that has to come.
    struct Answer: Sendable, ExpressibleByIntegerLiteral {
        var status: Int
        var hasBody = true

        init(integerLiteral status: Int) { self.status = status }

        /// An answer to `HEAD`.
        static func head(_ status: Int) -> Answer {
            var answer = Answer(integerLiteral: status)
            answer.hasBody = false
            return answer
        }
    }

    /// The state of a connection afterwards.
    enum State: Sendable {
        /// It takes a request and answers it.
        case goesOn
        /// The server has ended it, with no byte behind the answers.
        case ended
        /// The same, behind a stream that ended as HTTP ends a body.
        case endedStream
    }

    /// Bytes, and the answers to them that are waited for before the next ones.
    var steps: [(sent: String, answers: [Answer])]
    /// Whether the client ends its direction behind the last bytes.
    var isHalfClosed = false
    var state: State
    /// The number of committed writes.
    var commits: Int
    let testDescription: String

    init(_ name: String, _ sent: String, _ answers: Answer..., then state: State = .ended, commits: Int = 0) {
        testDescription = name
        steps = [(sent, answers)]
        self.state = state
        self.commits = commits
    }

    /// The same with bytes that are sent once the answers so far have come.
    func thenSends(_ sent: String, _ answers: Answer...) -> RawExchange {
        var longer = self
        longer.steps.append((sent, answers))
        return longer
    }

    /// The same by a client that sends nothing more.
    var halfClosed: RawExchange {
        var closed = self
        closed.isHalfClosed = true
        return closed
    }
}

// The requests that the exchanges are made of.
extension RawExchange {
    static let config = request("GET", "/v1/default/config")
    static let events = request("GET", "/v1/default/events")

    static func request(_ method: String, _ target: String, _ fields: String..., version: String = "1.1") -> String {
        (["\(method) \(target) HTTP/\(version)", "Host: localhost"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// A write with a length.
    static func put(_ number: Int, _ fields: String..., version: String = "1.1") -> String {
        let body = "{\"value\":\(number)}"
        return head(["Content-Length: \(body.utf8.count)"] + fields, version: version) + body
    }

    /// The head of a write.
    static func head(_ fields: [String], version: String = "1.1", host: String = "Host: localhost\r\n") -> String {
        let lines = ["Content-Type: application/json"] + fields
        return "PUT /v1/default/entries/raw HTTP/\(version)\r\n\(host)" + lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// A write in chunks as they are given.
    static func chunked(_ chunks: String, coding: String = "Transfer-Encoding: chunked", version: String = "1.1")
        -> String
    {
        head([coding], version: version) + chunks
    }

    /// A body of a write in two good chunks.
    static let chunks = "5\r\n{\"val\r\n6\r\nue\":1}\r\n0\r\n\r\n"
}
