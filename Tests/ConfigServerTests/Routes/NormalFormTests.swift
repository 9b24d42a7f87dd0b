// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import TestSupport
import Testing

@testable import ConfigServer

/// Text in any Unicode normal form is preserved byte for byte, and differs from its other forms.
@Suite(.timeLimit(.minutes(5)))
struct NormalFormTests {
    private static let forms = NormalForm.names

    private static func json(_ text: String) -> String { EntryValue.string(text).canonicalJSON }

    /// An object with a member for each form, whose value is the number of the form.
    private static let members = forms.enumerated().map { "\(json($1)):\($0)" }.joined(separator: ",")

    private static func bytes(_ text: String) -> String { text.utf8.map { "%" + String($0, radix: 16) }.joined() }

    @Test func variantsAndContextsAreKept() async throws {
        try await TestServer().script { client in
            let first = Self.json(Self.forms[0])
            let byValue = """
                {"variants":{\(Self.members)},"defaultVariant":\(first),"targeting":{"var":"v"}}
                """
            #expect(try client.ask("PUT", "/v1/default/rules/v", body: "{\"rule\":\(byValue)}").status == 201)
            for (index, form) in Self.forms.enumerated() {
                let body = "{\"context\":{\"v\":\(Self.json(form))}}"
                let flag = try client.ask("POST", "/ofrep/v1/evaluate/flags/v", body: body).text
                #expect(Self.contains(flag, "\"variant\":\(Self.json(form))"), "\(flag)")
                #expect(flag.contains("\"value\":\(index)"), "\(flag)")
                // The name of an attribute.
                let byName = """
                    {"variants":{"x":1,"y":2},"defaultVariant":"x","targeting":{"if":[{"==":[{"var":\(Self.json(form))},\
                    \(index)]},"y","x"]}}
                    """
                let draft = "{\"key\":\"n\",\"rule\":\(byName),\"contexts\":[{\(Self.members)}]}"
                let answer = try client.ask("POST", "/v1/default/evaluate", body: draft).text
                #expect(answer.contains("\"variant\":\"y\""), "\(answer)")
            }
        }
    }

    @Test func pathsAndHeadersAreKept() async throws {
        var settings = ServerSettings()
        settings.corsOrigins = ["https://\(Self.forms[1]).example"]
        let tokens = Self.forms.map { AccessToken.random(name: $0, role: .write, namespaces: nil) }
        try await TestServer(tokens: tokens.map(\.token), settings: settings).run { [settings] server in
            try await server.script { client in
                for (form, token) in zip(Self.forms, tokens) {
                    let secret = token.text
                    let key = try client.ask("GET", "/v1/default/entries/\(Self.bytes(form))", token: secret)
                    #expect([400, 404].contains(key.status), "\(key.text)")
                    #expect(Self.contains(key.text, form) || !key.text.contains("anc"), "\(key.text)")
                    #expect(
                        try client.ask(
                            "PUT",
                            "/v1/default/entries/a",
                            body: "{\"value\":\(Self.json(form))}",
                            token: secret
                        ).status < 300
                    )
                    let newest = try client.ask("GET", "/v1/default/history?limit=1", token: secret).text
                    #expect(Self.contains(newest, "\"author\":\(Self.json(form))"), "\(newest)")
                    let origin = "https://\(form).example"
                    let answer = try client.ask("GET", "/v1", ["Origin: \(origin)"], token: secret)
                    let isAllowed = ExactString(origin) == settings.corsOrigins.first.map { ExactString($0) }
                    #expect((answer["access-control-allow-origin"] != nil) == isAllowed, "\(form)")
                }
            }
        }
    }

    /// Whether a text has these bytes; to Swift, a text contains each text that is canonically equal to a part of it.
    private static func contains(_ text: String, _ part: String) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            if rest.starts(with: part.utf8) { return true }
            rest.removeFirst()
        }
        return false
    }
}
