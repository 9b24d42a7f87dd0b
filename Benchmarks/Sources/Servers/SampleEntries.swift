// SPDX-License-Identifier: Apache-2.0

/// The same keys and values for all servers: the demo's three, or as many as wanted.
struct SampleEntries {
    let pairs: [(key: String, value: String)]

    init(count: Int) {
        let demo = [
            ("app.background.color", "#FFB6C1"),
            ("app.fun_button.text", "Meeeeoowwww! 😸"),
            ("app.fun_button.url", "https://www.google.com/search?query=funny%20cats"),
        ]
        let others = (0..<max(0, count - demo.count)).map { ("app.screen\($0 % 50).value\($0)", "the value \($0)") }
        pairs = Array((demo + others).prefix(count))
    }

    /// The bodies of the requests that write them all, in pieces that a server takes.
    var patches: [String] {
        stride(from: 0, to: pairs.count, by: 10_000).map { start in
            let members = pairs[start..<min(start + 10_000, pairs.count)].map { #""\#($0.key)":"\#($0.value)""# }
            return #"{"set":{\#(members.joined(separator: ","))}}"#
        }
    }

    /// The statements that insert them all.
    var inserts: String {
        stride(from: 0, to: pairs.count, by: 10_000).map { start in
            let rows = pairs[start..<min(start + 10_000, pairs.count)].map { "('\($0.key)','\($0.value)')" }
            return "INSERT INTO config (`key`, value) VALUES \(rows.joined(separator: ","));"
        }.joined(separator: "\n")
    }
}
