// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// `embedded-server [PORT CONFIG-PORT]`: the shop on 127.0.0.1:8080, and its configuration on 127.0.0.1:3000, or on other
/// ports. SIGTERM and Ctrl-C end it.
@main
struct App {
    static func main() async throws {
        let ports = CommandLine.arguments.dropFirst().compactMap(Int.init)
        let (port, configPort) = ports.count == 2 ? (ports[0], ports[1]) : (8080, 3000)
        let shop = try buildShop(on: DatabaseStore(), port: port, configPort: configPort) { address in
            print("curl -X PUT http://\(address)/v1/default/entries/shop.greeting --json '{\"value\": \"Hello\"}'")
        }
        try await shop.runService()
    }
}
