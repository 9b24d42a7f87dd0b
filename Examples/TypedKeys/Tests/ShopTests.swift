// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import Foundation
import Shop
import Testing

struct ShopTests {
    private let config = ConfigRepository()

    @Test func definitionsHaveTheDefaultsOfTheSchemas() {
        let shop = Shop(config: config)
        #expect(shop.price(of: 1000) == 900)
        #expect(shop.menu == ["Home", "Cart"])
    }

    @Test func definitionsExportTheSchemasThatTheyAreMadeFrom() throws {
        _ = Shop(config: config)
        // Examples/TypedKeys/Tests/ShopTests.swift
        let file = URL(filePath: #filePath).appending(path: "../../Sources/shop.schemas.json").standardized
        let documents = try [Data(config.schemaDocument().utf8), Data(contentsOf: file)].map { data in
            try JSONSerialization.jsonObject(with: data) as? NSDictionary
        }
        #expect(documents[0] == documents[1])
    }
}
