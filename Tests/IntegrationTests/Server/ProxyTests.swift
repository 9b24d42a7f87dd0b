// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A server behind real proxies, with clients that prefer other protocols.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct ProxyTests {
    @Test(arguments: RunningProxy.Kind.allCases.filter(\.isInstalled))
    func readsWritesAndStreamsPassOnKeptConnections(kind: RunningProxy.Kind) throws {
        let server = try RunningServer()
        let proxy = try RunningProxy(kind, before: server.port)
        let client = WireClient(port: proxy.port)
        let stream = try client.connection()
        stream.send(WireClient.request("GET", "/v1/default/events"))
        #expect(try stream.response().status == 200)
        #expect(try stream.chunk().map { String(decoding: $0, as: UTF8.self) }?.contains("event: hello") == true)
        let connection = try client.connection()
        for number in 0..<50 {
            connection.send(WireClient.request("PUT", "/v1/default/entries/a", body: "{\"value\":\(number)}"))
            #expect(try connection.response().status == (number == 0 ? 201 : 200))
            connection.send(WireClient.request("GET", "/v1/default/config"))
            #expect(try connection.response().text.contains("\"a\":\(number)"))
            connection.send(WireClient.request("HEAD", "/v1/default/config"))
            #expect(try connection.response(hasBody: false).status == 200)
        }
        var heard = ""
        while !heard.contains("\"a\":49"), let chunk = try stream.chunk() {
            heard += String(decoding: chunk, as: UTF8.self)
        }
        #expect(heard.contains("\"a\":49"))
    }
}
