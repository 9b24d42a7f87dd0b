// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Hummingbird
import HummingbirdTesting
import RemoteConfig
import RemoteConfigTesting
import Testing

@testable import UserService

@Suite(.timeLimit(.minutes(5)))
struct OffersTests {
    private static func discount(_ share: Int) -> EntryValue {
        [
            "variants": ["some": 20, "none": 0], "defaultVariant": "none",
            "targeting": ["fractional": [["some", .integer(share)], ["none", .integer(100 - share)]]],
        ]
    }

    private static let title: EntryValue = [
        "variants": ["es": "Hoy", "en": "Today"], "defaultVariant": "en",
        "targeting": ["if": [["==": [["var": "language"], "es"]], "es"]],
    ]

    private static func offer(_ user: Int, _ client: some TestClientProtocol) async throws -> String {
        let headers: HTTPFields = user.isMultiple(of: 2) ? [.acceptLanguage: "es"] : [:]
        return try await client.execute(uri: "/offer?user=user-\(user)", method: .get, headers: headers) {
            String(buffer: $0.body)
        }
    }

    @Test func tenThousandUsersGetTheirOwnOffers() async throws {
        let source = TestSource(rules: ["offer.discount": Self.discount(10), "offer.title": Self.title])
        let config = RemoteConfigService(source: source)
        try await config.refresh()
        try await buildOffers(by: config, port: 0).test(.router) { client in
            let discounted = try await withThrowingTaskGroup { group in
                for lane in 0..<100 {
                    group.addTask {
                        var count = 0
                        for user in (lane * 100)..<(lane * 100 + 100) {
                            let offer = try await Self.offer(user, client)
                            let context = EvaluationContext(targetingKey: "user-\(user)")
                            let own = config.values(for: context).value(forKey: "offer.discount", default: -1)
                            #expect(offer == "\(user.isMultiple(of: 2) ? "Hoy" : "Today"): \(own) %")
                            if own == 20 { count += 1 }
                        }
                        return count
                    }
                }
                return try await group.reduce(0, +)
            }
            // A split assigns users by a hash, and always alike.
            #expect((800...1200).contains(discounted))

            await source.publish(rules: ["offer.discount": Self.discount(100)])
            try await config.refresh()
            #expect(try await Self.offer(1, client) == "Today: 20 %")
            try await client.execute(uri: "/offer", method: .get) { #expect($0.status == .unauthorized) }
        }
    }
}
