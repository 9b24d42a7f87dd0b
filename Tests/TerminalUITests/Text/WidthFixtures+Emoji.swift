extension WidthFixtures {
    static let emoji: [(text: String, columns: Int)] = [
        ("😀", 2), ("👍", 2), ("🎉", 2), ("🚀", 2), ("🔥", 2), ("🍎", 2), ("⌚", 2), ("⏰", 2), ("⚡", 2), ("✅", 2), ("❌", 2),
        ("⭐", 2), ("⬛", 2), ("🀄", 2), ("🃏", 2), ("🆗", 2), ("🈚", 2), ("🟥", 2), ("🦄", 2), ("🧠", 2), ("🥺", 2),
        ("a😀b", 4), ("😀😀😀", 6), ("😀\u{301}", 2), ("♈", 2), ("⚽", 2),
    ]

    static let presentation: [(text: String, columns: Int)] = [
        // Text by default, emoji by U+FE0F.
        ("❤", 1), ("❤\u{FE0F}", 2), ("❤\u{FE0E}", 1), ("☀", 1), ("☀\u{FE0F}", 2), ("☀\u{FE0E}", 1), ("✔\u{FE0F}", 2),
        ("©", 1), ("©\u{FE0F}", 2), ("™\u{FE0F}", 2), ("↔\u{FE0F}", 2), ("▶\u{FE0F}", 2), ("⚠\u{FE0F}", 2), ("⚠", 1),
        ("☎\u{FE0F}", 2), ("🅰\u{FE0F}", 2), ("🅰", 1), ("🌡\u{FE0F}", 2), ("🌡", 1), ("🏳\u{FE0F}", 2), ("🏳", 1),
        ("㊗\u{FE0F}", 2), ("〰\u{FE0F}", 2),
        // Emoji by default: neither selector changes the width.
        ("⌚\u{FE0E}", 2), ("⌚\u{FE0F}", 2), ("⚡\u{FE0E}", 2), ("⚡\u{FE0F}", 2), ("😀\u{FE0E}", 2), ("😀\u{FE0F}", 2),
        // Keycaps, and digits that ask for emoji presentation without the frame.
        ("1\u{FE0F}\u{20E3}", 2), ("#\u{FE0F}\u{20E3}", 2), ("*\u{FE0F}\u{20E3}", 2), ("9\u{FE0F}\u{20E3}", 2),
        ("1\u{FE0F}", 2), ("a\u{FE0F}", 1), ("漢\u{FE0F}", 2), ("1\u{FE0E}", 1),
        ("a❤\u{FE0F}b", 4), ("❤\u{FE0F}❤\u{FE0F}", 4),
    ]

    static let joined: [(text: String, columns: Int)] = [
        // Skin tones.
        ("👍🏻", 2), ("👍🏽", 2), ("👍🏿", 2), ("👋🏼", 2), ("🧑🏾", 2), ("☝🏽", 2), ("☝\u{FE0F}🏽", 2), ("✌🏿", 2), ("⛹🏽", 2),
        ("🏽", 2), ("a🏽", 3), ("漢🏽", 4), ("👍🏽👍🏿", 4),
        // Families, couples, professions, and everything else that U+200D joins.
        ("👨‍👩‍👧‍👦", 2), ("👩‍👩‍👧", 2), ("👩‍❤️‍👨", 2), ("👩‍❤️‍💋‍👩", 2), ("🧑🏻‍🤝‍🧑🏿", 2), ("👩🏽‍❤️‍👨🏿", 2),
        ("👩‍💻", 2), ("👩🏽‍🚀", 2), ("🧑‍🌾", 2), ("👨‍⚕️", 2), ("👩🏿‍⚖️", 2), ("🧑‍🎄", 2), ("🤷‍♀️", 2), ("🤷🏽‍♂️", 2), ("⛹️‍♀️", 2), ("⛹🏽‍♀️", 2),
        ("🏃‍♀️‍➡️", 2), ("🐻‍❄️", 2), ("🐦‍⬛", 2), ("🐕‍🦺", 2), ("❤️‍🔥", 2), ("❤‍🔥", 2), ("👁️‍🗨️", 2), ("👁‍🗨", 2), ("😶‍🌫️", 2), ("🧑‍🧑‍🧒‍🧒", 2),
        ("🍋‍🟩", 2), ("⛓️‍💥", 2), ("🙂‍↔️", 2), ("👩\u{200D}", 2), ("👩\u{200D}a", 3), ("👩\u{200D}\u{200D}👩", 4),
        ("a\u{200D}👩", 3), ("©\u{200D}®", 2),
    ]

    static let flags: [(text: String, columns: Int)] = [
        ("🇩🇪", 2), ("🇯🇵", 2), ("🇺🇳", 2), ("🇩🇪🇫🇷", 4), ("🇽🇽", 2), ("🇩", 2), ("🇩🇪🇫", 4), ("a🇩", 3), ("🇩a", 3), ("🇩\u{301}", 2),
        ("🏴", 2), ("🏴‍☠️", 2), ("🏳️‍🌈", 2), ("🏳‍🌈", 2), ("🏳️‍⚧️", 2), ("🚩", 2), ("🏁", 2),
        ("🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", 2),
        ("🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", 2),
        ("🏴\u{E0075}\u{E0073}\u{E0074}\u{E0078}\u{E007F}", 2),
        ("🏴\u{E0067}\u{E0062}", 2),
    ]

    static let recentEmoji: [(text: String, columns: Int)] = [
        // Unicode 14, 15, 15.1, 16 and 17.
        ("\u{1FAE0}", 2), ("\u{1FAF1}\u{1F3FB}\u{200D}\u{1FAF2}\u{1F3FF}", 2),
        ("\u{1FAE8}", 2), ("\u{1FA77}", 2), ("\u{1FAF7}\u{1F3FD}", 2), ("\u{1FACE}", 2), ("\u{1F6DC}", 2),
        ("\u{1F642}\u{200D}\u{2194}\u{FE0F}", 2), ("\u{1F426}\u{200D}\u{1F525}", 2),
        ("\u{1FAE9}", 2), ("\u{1FADF}", 2), ("\u{1FAC6}", 2), ("\u{1FABE}", 2),
        ("\u{1FAEA}", 2), ("\u{1FAC8}", 2), ("\u{1FA8E}", 2), ("\u{1F6D8}", 2), ("\u{1FAEF}", 2),
    ]

    static let zeroWidth: [(text: String, columns: Int)] = [
        ("\u{200B}", 0), ("a\u{200B}b", 2), ("\u{200C}", 0), ("\u{200D}", 0), ("a\u{200D}b", 2), ("\u{2060}", 0),
        ("\u{FEFF}", 0), ("a\u{FEFF}b", 2), ("\u{34F}", 0), ("a\u{34F}", 1), ("\u{180E}", 0), ("\u{FE0F}", 0),
        ("\u{2061}", 0),
        ("\u{200B}\u{200B}\u{200B}", 0), ("\u{E0100}", 0), ("\u{115F}", 2), ("\u{1160}", 0),
    ]

    static let hostile: [(text: String, columns: Int)] = [
        ("\u{0}", 0), ("\u{7}", 0), ("\t", 0), ("\n", 0), ("\r\n", 0), ("\u{7F}", 0), ("\u{9B}2J", 2), ("\u{1B}[2J", 3),
        ("\u{1B}]0;title\u{7}", 8), ("a\u{8}b", 2), ("\u{202E}abc", 3), ("\u{2066}a\u{2069}", 1), ("\u{2028}", 0),
        ("\u{E0041}\u{E0042}", 0), (noncharacters, 4), ("\u{378}", 1),
        (String(repeating: "\u{301}", count: 50), 0), (String(repeating: "👩\u{200D}", count: 50) + "👩", 2),
        ("क" + String(repeating: "ा", count: 20), 21), (String(repeating: "\u{1F1E9}", count: 7), 8),
        ("\u{FE0F}\u{FE0F}", 0), ("❤\u{FE0F}\u{FE0F}", 2), ("❤\u{FE0E}\u{FE0F}", 1), ("😀\u{1F3FD}\u{1F3FF}", 2),
    ]

    /// U+FDD0, U+FFFE, U+1FFFF and U+10FFFF, which the compiler refuses in a literal.
    static let noncharacters = String(
        decoding: [0xFDD0, 0xFFFE, 0xD83F, 0xDFFF, 0xDBFF, 0xDFFF] as [UInt16],
        as: UTF16.self
    )
}
