// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI

/// A value in one row, with a swatch before each colour.
struct ValuePreview {
    /// Whether the terminal has colours to show.
    let hasColors: Bool

    /// No row shows more of a text.
    private static let maximumScalars = 200
    private static let maximumElements = 100

    /// - Parameter columns: the room; more colours than fit become an ellipsis and their number.
    func spans<Target>(of value: EntryValue, columns: Int) -> [ActiveLine<Target>.Span] {
        if hasColors, case .array(let elements) = value, elements.count > 1 {
            let colors = elements.prefix(Self.maximumElements).compactMap { RGBColor(configValue: $0) }
            if colors.count == min(elements.count, Self.maximumElements) {
                return Self.swatches(colors, count: elements.count, columns: columns)
            }
        }
        if case .string(let text) = value, RGBColor(text) != nil { return spans(of: text) }
        return [.init(Self.shortened(value).canonicalJSON)]
    }

    /// A text, with a swatch if it is a colour.
    func spans<Target>(of text: String) -> [ActiveLine<Target>.Span] {
        swatch(of: text) + [.init(text.beginning(Self.maximumScalars))]
    }

    /// The swatch of a colour and a space; nothing for any other text.
    func swatch<Target>(of text: String) -> [ActiveLine<Target>.Span] {
        guard hasColors, let color = RGBColor(text) else { return [] }
        return [.init("██", .block(color)), .init(" ")]
    }

    private static func swatches<Target>(
        _ colors: [RGBColor],
        count: Int,
        columns: Int
    ) -> [ActiveLine<Target>.Span] {
        let number = "(\(count))"
        let isWhole = colors.count == count && count * 3 + number.count <= columns
        let shown = isWhole ? count : max((columns - number.count - 2) / 3, 1)
        let spans = colors.prefix(shown).flatMap { [ActiveLine<Target>.Span("██", .block($0)), .init(" ")] }
        return spans + [.init(isWhole ? number : "… " + number)]
    }

    /// The beginning of a long value.
    private static func shortened(_ value: EntryValue) -> EntryValue {
        switch value {
        case .string(let text): .string(text.beginning(maximumScalars))
        case .array(let elements): .array(elements.prefix(maximumElements).map(shortened))
        case .object(let members):
            .object(
                EntryObject(
                    members.prefix(maximumElements).map { ($0.key.beginning(maximumScalars), shortened($0.value)) }
                )
            )
        case .null, .integer, .double, .boolean: value
        }
    }
}

extension EntryValue {
    /// A string as it is, anything else as JSON.
    var plainText: String { if case .string(let text) = self { text } else { canonicalJSON } }
}

extension String {
    /// The first scalars of the text, or all of it.
    fileprivate func beginning(_ count: Int) -> String {
        utf8.count <= count ? self : String(UnicodeScalarView(unicodeScalars.prefix(count)))
    }
}
