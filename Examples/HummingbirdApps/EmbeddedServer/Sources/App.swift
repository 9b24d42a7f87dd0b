// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// `embedded-server`: the shop on 127.0.0.1:8080, and its configuration on 127.0.0.1:3000.
@main
struct App {
    static func main() async throws {
        let shop = try buildShop(on: DatabaseStore(), port: 8080, configPort: 3000) { address in
            print("curl -X PUT http://\(address)/v1/default/entries/shop.greeting --json '{\"value\": \"Hello\"}'")
        }
        try await shop.runService()
    }
}
