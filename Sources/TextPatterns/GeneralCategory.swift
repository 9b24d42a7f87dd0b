// SPDX-License-Identifier: Apache-2.0

/// The general categories of Unicode by their names in ECMA-262, each as a bit.
enum GeneralCategory {
    static let all: UInt32 = 1 << 30 - 1

    /// The bits of a category or of a group of them, such as `L`; a default where there is none of the name.
    static func mask(named name: String, default mask: UInt32) -> UInt32 { masks[name] ?? mask }

    static func bit(of scalar: Unicode.Scalar) -> UInt32 {
        1 << UInt32(place(of: scalar.properties.generalCategory))
    }

    /// The place of a category in `names`. One that a later Unicode adds counts as unassigned.
    private static func place(of category: Unicode.GeneralCategory) -> Int {
        switch category {
        case .uppercaseLetter: 0
        case .lowercaseLetter: 1
        case .titlecaseLetter: 2
        case .modifierLetter: 3
        case .otherLetter: 4
        case .nonspacingMark: 5
        case .spacingMark: 6
        case .enclosingMark: 7
        case .decimalNumber: 8
        case .letterNumber: 9
        case .otherNumber: 10
        case .connectorPunctuation: 11
        case .dashPunctuation: 12
        case .openPunctuation: 13
        case .closePunctuation: 14
        case .initialPunctuation: 15
        case .finalPunctuation: 16
        case .otherPunctuation: 17
        case .mathSymbol: 18
        case .currencySymbol: 19
        case .modifierSymbol: 20
        case .otherSymbol: 21
        case .spaceSeparator: 22
        case .lineSeparator: 23
        case .paragraphSeparator: 24
        case .control: 25
        case .format: 26
        case .surrogate: 27
        case .privateUse: 28
        case .unassigned: 29
        @unknown default: 29
        }
    }

    /// The names of each category in PropertyValueAliases.txt.
    private static let names: [[String]] = [
        ["Lu", "Uppercase_Letter"], ["Ll", "Lowercase_Letter"], ["Lt", "Titlecase_Letter"], ["Lm", "Modifier_Letter"],
        ["Lo", "Other_Letter"], ["Mn", "Nonspacing_Mark"], ["Mc", "Spacing_Mark"], ["Me", "Enclosing_Mark"],
        ["Nd", "Decimal_Number", "digit"], ["Nl", "Letter_Number"], ["No", "Other_Number"],
        ["Pc", "Connector_Punctuation"], ["Pd", "Dash_Punctuation"], ["Ps", "Open_Punctuation"],
        ["Pe", "Close_Punctuation"], ["Pi", "Initial_Punctuation"], ["Pf", "Final_Punctuation"],
        ["Po", "Other_Punctuation"], ["Sm", "Math_Symbol"], ["Sc", "Currency_Symbol"], ["Sk", "Modifier_Symbol"],
        ["So", "Other_Symbol"], ["Zs", "Space_Separator"], ["Zl", "Line_Separator"], ["Zp", "Paragraph_Separator"],
        ["Cc", "Control", "cntrl"], ["Cf", "Format"], ["Cs", "Surrogate"], ["Co", "Private_Use"], ["Cn", "Unassigned"],
    ]

    /// The groups, and their members by their first names.
    private static let groups: [(names: [String], members: [String])] = [
        (["LC", "Cased_Letter"], ["Lu", "Ll", "Lt"]),
        (["L", "Letter"], ["Lu", "Ll", "Lt", "Lm", "Lo"]),
        (["M", "Mark", "Combining_Mark"], ["Mn", "Mc", "Me"]),
        (["N", "Number"], ["Nd", "Nl", "No"]),
        (["P", "Punctuation", "punct"], ["Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po"]),
        (["S", "Symbol"], ["Sm", "Sc", "Sk", "So"]),
        (["Z", "Separator"], ["Zs", "Zl", "Zp"]),
        (["C", "Other"], ["Cc", "Cf", "Cs", "Co", "Cn"]),
    ]

    private static let masks: [String: UInt32] = {
        var masks: [String: UInt32] = [:]
        for (place, names) in names.enumerated() {
            for name in names { masks[name] = 1 << UInt32(place) }
        }
        for group in groups {
            let mask = group.members.reduce(0) { $0 | (masks[$1] ?? 0) }
            for name in group.names { masks[name] = mask }
        }
        return masks
    }()
}
