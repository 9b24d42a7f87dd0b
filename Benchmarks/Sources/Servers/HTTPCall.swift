// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A request that prepares a measurement or looks after one, made by curl: it is not measured itself.
struct HTTPCall {
    let url: String
    let options: [String]

    init(port: Int, _ path: String, _ options: [String] = []) {
        self.init("http://127.0.0.1:\(port)\(path)", options)
    }

    init(_ url: String, _ options: [String] = []) { (self.url, self.options) = (url, options) }

    /// Whether there is an answer, and it is 200.
    func isAnswered() throws -> Bool {
        try run(["-o", "/dev/null", "-w", "%{http_code}"]).standardOutput == "200"
    }

    /// The body of the answer, which has to be one of success.
    func body() throws -> String {
        let output = try run(["--fail-with-body"])
        guard output.status == .exited(0) else {
            throw BenchmarkFailure("cannot get \(url): \(output.standardOutput)\(output.standardError)")
        }
        return output.standardOutput
    }

    /// A field of the answer; nothing if there is no such field.
    func field(_ name: String) throws -> String {
        try run(["-o", "/dev/null", "-w", "%header{\(name)}"]).standardOutput
    }

    private func run(_ more: [String]) throws -> Command.Output {
        try Command("curl", ["-sS", "--max-time", "60"] + more + options + [url]).run(deadline: .seconds(70))
    }
}
