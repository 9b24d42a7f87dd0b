// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import FuzzKit
import TestSupport

extension FuzzTarget {
    /// The form that `POST /config` takes.
    ///
    /// A row is stored exactly as a plain reading of WHATWG's URL Standard understands it, and a sound one is not refused.
    static let form = FuzzTarget("form") { form in
        guard form.count <= 60_000 else { return }
        let expected = PlainForm(form)
        let answer = FormClient.shared.send("POST /config", type: "application/x-www-form-urlencoded", form)
        switch answer.status {
        case 200:
            require(expected.key != nil && expected.value != nil, "\(form) is taken")
            let row = answer.text
            let end = "\"key\":\(quoted(expected.key ?? "")),\"value\":\(quoted(expected.value ?? ""))}"
            require(row.utf8.elementsEqual("{\"id\":".utf8) || row.hasSuffix(end), "\(row) of \(form)")
            let deleted = FormClient.shared.send("DELETE /v1/default/entries/\(expected.key ?? "")")
            require(deleted.status == 204, "\(deleted.status) for a key that has just been stored")
        case 400: require(!expected.isSound, "\(form) is refused: \(answer.text)")
        default: require(false, "\(answer.status) for \(form): \(answer.text)")
        }
    }

    private static func quoted(_ text: String) -> String { EntryValue.string(text).canonicalJSON }
}

/// A client that keeps its connection for as long as the server does.
@MainActor
private final class FormClient {
    static let shared = FormClient()
    private var connection: WireConnection?

    func send(_ target: String, type: String? = nil, _ body: [UInt8] = []) -> WireResponse {
        var head = "\(target) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.count)\r\n"
        if let type { head += "Content-Type: \(type)\r\n" }
        do {
            let connection = try connection ?? WireConnection(port: LoopbackServer.port)
            connection.send(Array((head + "\r\n").utf8) + body)
            let response = try connection.response(within: 9)
            self.connection = response["connection"] == "close" ? nil : connection
            return response
        } catch {
            fatalError("no answer to \(target): \(error)")
        }
    }
}

/// `application/x-www-form-urlencoded` by WHATWG's URL Standard, section 5.1, and what makes a row of it.
private struct PlainForm {
    var key: String?
    var value: String?
    /// Whether it names a key and a value once each and nothing else, all of it well-formed.
    var isSound = false

    init(_ bytes: [UInt8]) {
        var pairs: [(name: String?, value: String?)] = []
        for pair in bytes.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            pairs.append((Self.decoded(parts[0]), Self.decoded(parts.count == 2 ? parts[1] : [])))
        }
        key = pairs.first { $0.name == "key" }?.value
        value = pairs.first { $0.name == "value" }?.value
        guard let key, let value, KeyRule.problem(in: key) == nil else { return }
        isSound =
            pairs.count == 2 && pairs.allSatisfy { ["key", "value"].contains($0.name) }
            && EntryValue.string(value).canonicalJSON.utf8.count <= EntryValue.maximumBytes
    }

    /// - Returns: `nil` if it is not UTF-8. A `%` without two hexadecimal digits is text, as in the standard.
    private static func decoded(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(0x20)
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2).compactMap(digit)
                guard digits.count == 2 else {
                    bytes.append(byte)
                    continue
                }
                bytes.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).isHexDigit ? UInt8(String(Unicode.Scalar(byte)), radix: 16) : nil
    }
}
