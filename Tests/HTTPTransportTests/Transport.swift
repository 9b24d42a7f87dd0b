// SPDX-License-Identifier: Apache-2.0

import Basics
import CurlTransport
import Foundation
import HTTPTransport
import TestSupport
import URLSessionTransport

/// The libraries that can send requests.
enum Transport: CaseIterable, Sendable {
    case curl, urlSession

    #if canImport(FoundationNetworking)
        /// On Linux, URLSession ends the process where a connection ends within the head of an answer.
        var survivesACutHead: Bool { self == .curl }
        /// On Linux, URLSession has no code for failures of TLS.
        var codeOfTLSFailure: ErrorCode { self == .curl ? .insecure : .unreachable }
        /// On Linux, URLSession supports no other authorities than the system's.
        var codeOfOtherAuthority: ErrorCode { self == .curl ? .insecure : .invalidOption }
    #else
        var survivesACutHead: Bool { true }
        var codeOfTLSFailure: ErrorCode { .insecure }
        var codeOfOtherAuthority: ErrorCode { .insecure }
    #endif

    func client(
        allowInsecureHosts: Set<String> = [],
        settings: TransportSettings = TransportSettings()
    ) -> HTTPClient {
        HTTPClient(allowInsecureHosts: allowInsecureHosts, settings: settings) { () throws(OperationFailure) in
            try connector()
        }
    }

    func connector() throws(OperationFailure) -> any HTTPConnector {
        switch self {
        case .curl: try CurlLoop()
        case .urlSession: URLSessionConnector()
        }
    }
}

/// A listener that reads a client's first bytes, and answers with anything but TLS.
final class RudeListener: Sendable {
    enum Manner: CaseIterable, Sendable { case closes, resets, speaksPlainly }

    let port: UInt16
    private let descriptor: Int32

    init(_ manner: Manner) throws {
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, length) = (descriptor, size)
        try withUnsafeMutablePointer(to: &address) {
            try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try check(bind(listener, $0, length))
                try check(listen(listener, 5))
                try check(getsockname(listener, $0, &size))
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { Self.serve(listener, manner) }
    }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func serve(_ listener: Int32, _ manner: Manner) {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            _ = recv(connection, &bytes, bytes.count, 0)
            if manner == .speaksPlainly {
                let answer = Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8)
                _ = send(connection, answer, answer.count, 0)
            }
            // Closed with nothing to wait for, a connection is reset.
            var choice = linger(l_onoff: manner == .resets ? 1 : 0, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &choice, socklen_t(MemoryLayout<linger>.size))
            close(connection)
        }
        close(listener)
    }
}

extension HTTPTimeouts {
    /// For tests that are not about time, on a machine that has other things to do.
    static let patient = HTTPTimeouts(answer: .seconds(100), idle: .seconds(100), total: nil)
}
