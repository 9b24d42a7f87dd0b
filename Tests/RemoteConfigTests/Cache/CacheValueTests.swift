import ConfigModel
import Testing

@testable import RemoteConfig

struct CacheValueTests {
    @Test(
        arguments: [
            .string("é\0"), .integer(-EntryValue.maximumInteger), .double(1e-300), .boolean(true), .strings([]),
            .strings(["", "a"]), .integers([1, -1]), .doubles([0.5, -0.0]), .booleans([false]),
        ] as [EntryValue]
    )
    func valuesReadBackAsTheyWere(value: EntryValue) throws {
        #expect(try EntryValue(value.encoded[...], source: "s") == value)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func whatIsNoFiniteNumberIsDamage(number: Double) {
        for value in [EntryValue.double(number), .doubles([1, number])] {
            #expect(throws: CacheDamage.self) { try EntryValue(value.encoded[...], source: "s") }
        }
    }
}
