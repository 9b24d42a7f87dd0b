// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import RemoteConfig

/// `user-service [PORT]`: the offers on 127.0.0.1:8081, or on another port, by the configuration of the server on 127.0.0.1:3000.
/// SIGTERM and Ctrl-C end it.
@main
struct App {
    static func main() async throws {
        let port = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 8081
        let source = try SourceLocator("http://127.0.0.1:3000").source()
        try await buildOffers(by: RemoteConfigService(source: source), port: port).runService()
    }
}
