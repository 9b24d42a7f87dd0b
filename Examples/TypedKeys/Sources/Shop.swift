// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions

/// A shop that reads its configuration by typed keys: one that is not in the schemas is an error of the compiler.
public struct Shop {
    private let config: ConfigRepository

    /// Creates a shop, and adds its definitions to a repository.
    public init(config: ConfigRepository) {
        ConfigKeys.add(to: config)
        self.config = config
    }

    /// The price after the discount, in cents.
    public func price(of cents: Int) -> Int { Int(Double(cents) * (1 - config[ConfigKeys.shopDiscount])) }

    /// The titles of the menu; empty while the shop is closed.
    public var menu: [String] { config[ConfigKeys.shopOpen] ? config[ConfigKeys.shopMenu] : [] }
}
