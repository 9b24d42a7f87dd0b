import ConfigModel
import Testing

struct EntryValueTests {
    static let samples: [EntryValue] = [
        .string(""), .string("1"), .string("true"), .integer(1), .integer(0), .double(1.5), .boolean(true),
        .boolean(false),
        .strings([]), .strings(["1"]), .strings(["1", "1"]), .integers([1]), .integers([1, 2]), .integers([2, 1]),
        .doubles([1.5]), .booleans([true]),
    ]

    @Test func valuesAreEqualToThemselvesOnly() {
        for (index, value) in Self.samples.enumerated() {
            for (otherIndex, other) in Self.samples.enumerated() {
                #expect((value == other) == (index == otherIndex), "\(value) and \(other)")
            }
        }
        #expect(Set(Self.samples + Self.samples).count == Self.samples.count)
    }

    @Test(arguments: [
        ("\u{E9}", "e\u{301}"), ("\u{1E69}", "s\u{307}\u{323}"), ("\u{AC00}", "\u{1100}\u{1161}"),
        ("\u{2126}", "\u{3A9}"),
    ])
    func textsCountByTheirScalars(first: String, second: String) {
        #expect(first == second, "equal for Swift")
        #expect(EntryValue.string(first) != .string(second))
        #expect(EntryValue.strings(["a", first]) != .strings(["a", second]))
        #expect(EntryValue.string(first) == .string(String(decoding: Array(first.utf8), as: UTF8.self)))
    }

    @Test(
        arguments: [
            (.string("a"), "string"), (.integer(1), "number"), (.double(1.5), "number"), (.boolean(true), "Boolean"),
            (.strings([]), "empty array"), (.strings(["a"]), "array of strings"), (.integers([1]), "array of numbers"),
            (.doubles([1.5]), "array of numbers"), (.booleans([true]), "array of Booleans"),
        ] as [(EntryValue, String)]
    )
    func kindsAreNamedForUsers(value: EntryValue, name: String) {
        #expect(value.kindName == name)
    }

    @Test func stringIsReadFromAStringOnly() {
        #expect(String(configValue: .string("text")) == "text")
        for value in Self.samples.dropFirst(3) { #expect(String(configValue: value) == nil, "\(value)") }
    }
}
