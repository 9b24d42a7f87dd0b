import CTestSupport
import Foundation
import TestSupport

/// A client that sends many requests at once and reads the statuses of the answers, and not much else: it has to be
/// quicker than the server that it tests.
final class PipelinedClient {
    private let port: Int
    private var descriptor: Int32 = -1
    private var received: [UInt8] = []
    private var start = 0

    init(port: Int) {
        self.port = port
    }

    deinit { disconnect() }

    /// Sends the requests and reads their answers, until all are there or the server ends the connection.
    ///
    /// - Returns: the statuses of the first requests; fewer than there are requests if the connection was ended.
    func statuses(of requests: [RequestGenerator.Request]) throws -> [Int] {
        if descriptor < 0 { try connect() }
        try send(requests.flatMap(\.bytes))
        var statuses: [Int] = []
        for request in requests {
            guard let status = try answer(hasBody: !request.isHead) else {
                disconnect()
                break
            }
            statuses.append(status)
        }
        return statuses
    }

    private func connect() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard descriptor >= 0, result == 0 else { throw Failure("the server takes no connection: \(errno)") }
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    private func disconnect() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
        received = []
        start = 0
    }

    /// Sends what the server takes: one that has ended the connection has a reason, which stands in its answer.
    private func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return }
            sent += count
        }
    }

    /// The status of the next answer; `nil` at the end of the connection.
    private func answer(hasBody: Bool) throws -> Int? {
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
                throw Failure("this is no answer: \(String(decoding: received[start...].prefix(300), as: UTF8.self))")
            }
            guard try fill() else { return nil }
        }
    }

    private func fill() throws -> Bool {
        received.removeFirst(start)
        start = 0
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EAGAIN { throw Failure("the server is silent") }
        if count > 0 { received += buffer[..<count] }
        return count > 0
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}
