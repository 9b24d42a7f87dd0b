// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import RemoteConfig

/// `user-service`: the offers on 127.0.0.1:8081, by the configuration of the server on 127.0.0.1:3000.
@main
struct App {
    static func main() async throws {
        let source = try SourceLocator("http://127.0.0.1:3000").source()
        try await buildOffers(by: RemoteConfigService(source: source), port: 8081).runService()
    }
}
