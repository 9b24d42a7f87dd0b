// SPDX-License-Identifier: Apache-2.0

import Testing

/// What a program drew with ncurses 6.4 on a screen of 40×10, for one type of terminal.
///
/// The program put text, lines and boxes at random places, changed colours, inserted and deleted characters and lines,
/// scrolled, and refreshed the screen now and then. The expected lines are what ncurses itself took the screen for.
struct RecordedStream: CustomTestStringConvertible {
    /// The value of `TERM`.
    let terminal: String
    let bytes: String
    let lines: [String]

    var testDescription: String { terminal }

    /// What terminals of several kinds show in the end.
    private static let drawn = [
        "┌──────────────────────────────────────┐",
        "│────                                  │",
        "│                                    xxx",
        "xxxxxxxxxxxxxxxxxxxxxx           a long│",
        "│ text to be drawn here────────────────│",
        "│────               äöü ────────────   │",
        "│                        xxxxxxxxxxxxxx│",
        "│xxxxxxxxx                 äöü        │",
        "│                    ────              │",
        "└──────────────────────────────────────┘",
    ]

    static let all: [RecordedStream] = [
        RecordedStream(
            terminal: "xterm-256color",
            bytes: """
                \u{1B}[?1049h\u{1B}[22;0;0t\u{1B}[1;10r\u{1B}(B\u{1B}[m\u{1B}[4l\u{1B}[?7h\u{1B}[39;49m\u{1B}[?1h\
                \u{1B}=\u{1B}[?25l\u{1B}[39;49m\u{1B}(B\u{1B}[m\u{1B}[H\u{1B}[2J\u{1B}[9;19H\u{1B}[6d\u{8}\u{8}\
                \u{1B}[33ma longer text to be draw\u{1B}[7;1Hn here\u{1B}[39m\u{1B}(B\u{1B}[m\r\u{1B}[A\u{1B}[K\
                \u{1B}[7d\u{1B}[K\u{1B}[8;32H\u{1B}(B\u{1B}[0;1;7ma longer \u{1B}[9;1Htext to be drawn here\u{1B}(B\
                \u{1B}[0m\u{1B}[33mger text to be draw\u{1B}[10;1Hn here\u{1B}[10;25H\u{1B}[38;5;67m\u{1B}[48;5;146m\
                ────────────\u{1B}[9;22H\u{1B}[39;49m\u{1B}(B\u{1B}[m\r\u{1B}[A\u{1B}[J\u{1B}[6;19H\u{1B}[4;3Ha long\
                er text to be drawn here\u{1B}[10;12H\u{1B}(B\u{1B}[0;7m\u{1B}[38;5;67m\u{1B}[48;5;146mxxxxxxxxxxxxx\
                xxxxxxxxxxxx\u{1B}[9;39H\u{1B}[39;49m\u{1B}(B\u{1B}[m\u{1B}[H\u{1B}(0\u{1B}[0mlqqqqqqqqqqqqqqqqqqqqq\
                qqqqqqqqqqqqqqqqqk\u{1B}(B\u{1B}[2;1H\u{1B}(0\u{1B}[0mx\u{1B}(B\u{1B}[40G\u{1B}(0\u{1B}[0mx\u{1B}(B\
                \u{1B}[3;1H\u{1B}(0\u{1B}[0mx\u{1B}(B\u{1B}[40G\u{1B}(0\u{1B}[0mx\u{1B}(B\u{1B}[4;1H\u{1B}(0\u{1B}[0\
                mx\u{1B}(B\u{1B}[31X\u{1B}[40G\u{1B}(0\u{1B}[0mx\u{1B}(B\u{1B}[5;1H\u{1B}(0\u{1B}[0mx\u{1B}(B a long\
                er text to be drawn here\u{1B}[40G\u{1B}(0\u{1B}[0mx\u{1B}(B\u{1B}[6;1H\u{1B}(0\u{1B}[0mx\u{1B}(B\
                \u{1B}[40G\u{1B}(0\u{1B}[0mx\u{1B}(B\u{1B}[7;1H\u{1B}(0\u{1B}[0mx\u{1B}(B\u{1B}[8G\u{1B}(0\u{1B}[0m\
                \u{1B}(B\u{1B}[0;4m\u{1B}[38;5;105m\u{1B}[48;5;156m        \u{1B}[40G\u{1B}[39;49m\u{1B}(0\u{1B}[0mx\
                \u{1B}(B\u{1B}[8;1H\u{1B}(0\u{1B}[0mx\u{1B}(B\u{1B}[0;1;4;7m\u{1B}[48;5;90mlonger text to be drawn h\
                ere\u{1B}[40G\u{1B}[49m\u{1B}(0\u{1B}[0mx\u{1B}(B\u{1B}[9;1H\u{1B}(0\u{1B}[0mx\u{1B}(B\u{1B}[40G\
                \u{1B}(0\u{1B}[0mx\u{1B}(B\u{1B}[10;1H\u{1B}(0\u{1B}[0mmqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq\u{1B}\
                [?7lj\u{1B}[?7h\u{1B}(B\u{1B}[2;15H\u{1B}(0\u{1B}[0m\u{1B}(B\u{1B}[H\u{1B}[J\u{1B}[1;29H\u{1B}(B\
                \u{1B}[0;1m\u{1B}[3m\u{1B}[38;5;198ma longer tex\u{1B}[2;1Ht to be drawn here\u{1B}[4;22H\u{1B}[39m\
                \u{1B}(B\u{1B}[0;7m\u{1B}[23ma longer text to be\u{1B}[5;1H dr\u{1B}(B\u{1B}[mhello\u{1B}(B\u{1B}[0;\
                7mere\u{1B}[40G\u{1B}(0\u{1B}[0m\u{1B}[48;5;206mx\u{1B}[49m\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[9;6H\u{1B}\
                (0\u{1B}[0m\u{1B}[48;5;206m\u{1B}[49m\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[H\u{1B}(0\u{1B}[0m\u{1B}[3mlqqqq\
                qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqk\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[2;1H\u{1B}(0\u{1B}[0m\u{1B}[3mx\
                \u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[40G\u{1B}(0\u{1B}[0m\u{1B}[3mx\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[3;1H\
                \u{1B}(0\u{1B}[0m\u{1B}[3mx\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[40G\u{1B}(0\u{1B}[0m\u{1B}[3mx\u{1B}(B\
                \u{1B}(B\u{1B}[m\u{1B}[4;1H\u{1B}(0\u{1B}[0m\u{1B}[3mx\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[40G\u{1B}(0\
                \u{1B}[0m\u{1B}[3mx\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[5;1H\u{1B}(0\u{1B}[0m\u{1B}[3mx\u{1B}(B\u{1B}(B\
                \u{1B}[m\u{1B}[40G\u{1B}(0\u{1B}[0m\u{1B}[3mx\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[6;1H\u{1B}(0\u{1B}[0m\
                \u{1B}[3mx\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[40G\u{1B}(0\u{1B}[0m\u{1B}[3mx\u{1B}(B\u{1B}(B\u{1B}[m\
                \u{1B}[7;1H\u{1B}(0\u{1B}[0m\u{1B}[3mx\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[40G\u{1B}(0\u{1B}[0m\u{1B}[3mx\
                \u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[8;1H\u{1B}(0\u{1B}[0m\u{1B}[3mx\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[40G\
                \u{1B}(0\u{1B}[0m\u{1B}[3mx\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[9;1H\u{1B}(0\u{1B}[0m\u{1B}[3mx\u{1B}(B\
                \u{1B}(B\u{1B}[m\u{1B}[9;20H\u{1B}(0\u{1B}[0m\u{1B}[3m\u{1B}(B\u{1B}[0;7m\u{1B}[23mxxxxxxxxxxxxxxxxx\
                xxx\u{1B}(0\u{1B}[0m\u{1B}[3mx\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[10;1H\u{1B}(0\u{1B}[0m\u{1B}[3mmqqqqqqq\
                qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq\u{1B}[?7lj\u{1B}[?7h\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[9;17H\u{1B}(0\
                \u{1B}[0m\u{1B}[3m\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[2;11H\u{1B}(B\u{1B}[0;2m\u{1B}[38;5;50m\u{1B}[48;5;\
                44mäöü\u{1B}[3;8H\u{1B}(0\u{1B}[0;1;4;7m\u{1B}[33mqqqqqqqqqqqq\u{1B}[39m\u{1B}(B\u{1B}(B\u{1B}[m\
                \u{1B}[4;34H\u{1B}(0\u{1B}[0;1;4;7m\u{1B}[33m\u{1B}(B\u{1B}[0m\u{1B}[48;5;37mI\u{1B}[49m\u{1B}(B\
                \u{1B}[0;7mt to b\u{1B}[6;4H\u{1B}(B\u{1B}[0m\u{1B}[38;5;122m\u{1B}[48;5;158m───\u{1B}[39;49m\u{1B}[\
                48;5;90ma longer text to be drawn here\u{1B}[7;16H\u{1B}(B\u{1B}[0;1m\u{1B}[3m\u{1B}[38;5;105m\u{1B}\
                [48;5;156mhello\u{1B}[1;12H\u{1B}[39;49m\u{1B}(B\u{1B}[m
                """,
            lines: [
                "┌──────────────────────────────────────┐",
                "│ to be dräöü here                     │",
                "│      ────────────                    │",
                "│                    a longer texIt to b",
                "│drhelloere                            │",
                "│  ───a longer text to be drawn here   │",
                "│              hello                   │",
                "│                                      │",
                "│                  xxxxxxxxxxxxxxxxxxxx│",
                "└──────────────────────────────────────┘",
            ]
        ),
        RecordedStream(
            terminal: "xterm-direct",
            bytes: """
                \u{1B}[?1049h\u{1B}[22;0;0t\u{1B}[1;10r\u{1B}(B\u{1B}[m\u{1B}[4l\u{1B}[?7h\u{1B}[39;49m\u{1B}[?1h\
                \u{1B}=\u{1B}[?25l\u{1B}[39;49m\u{1B}(B\u{1B}[m\u{1B}[H\u{1B}[2J\u{1B}[8G\u{1B}(B\u{1B}[0;1m\u{1B}[4\
                8:2::126:185:183mI\u{1B}[2;40H\u{1B}[49m\u{1B}(B\u{1B}[mh\u{1B}[3;1Hello\u{1B}[H \u{1B}(B\u{1B}[0;4m\
                hello\u{1B}[2;10H\u{1B}(0\u{1B}[0;2;7m\u{1B}[3m\u{1B}[38:2::168:62:62m\u{1B}[48:2::10:104:193mqqqqqq\
                qqqqqq\u{1B}[39;49m\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[4;35H\u{1B}(0\u{1B}[0;2;7m\u{1B}[3m\u{1B}[38:2::16\
                8:62:62m\u{1B}[48:2::10:104:193m\u{1B}(B\u{1B}[0;1;2m\u{1B}[23mhello\u{1B}[1;7H\u{1B}(B\u{1B}[m\r\
                \u{1B}[10d\n\u{1B}[1;12H\u{1B}(B\u{1B}[0;1mhello\u{1B}[4;5H\u{1B}(0\u{1B}[0;1m\u{1B}[38:2::4:202:93m\
                \u{1B}[48:2::251:132:51mx\u{1B}[39;49m\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[5;39H\u{1B}(0\u{1B}[0;1m\u{1B}[\
                38:2::4:202:93m\u{1B}[48:2::251:132:51m\u{1B}(B\u{1B}[0;4;7m\u{1B}[3m\u{1B}[38:2::190:46:142m\u{1B}[\
                48:2::87:33:127m  \u{1B}[6;1H      \u{1B}[7d\u{8}\u{8}\u{1B}(0\u{1B}[0;1m\u{1B}[23m\u{1B}[38:2::4:20\
                2:93m\u{1B}[48:2::251:132:51mx\u{1B}[39;49m\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[11G\u{1B}(0\u{1B}[0;1m\
                \u{1B}[38:2::4:202:93m\u{1B}[48:2::251:132:51m\u{1B}[39;49m\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[7;23H\
                \u{1B}(B\u{1B}[0;1m\u{1B}[3m\u{1B}[38:2::155:65:127m────────────\u{1B}[39m\u{1B}(B\u{1B}[m\u{1B}[8d \
                \u{1B}[1;8r\u{1B}[1;1H\u{1B}[2T\u{1B}[1;10r\u{1B}[3;26H\u{1B}(B\u{1B}[0;1mäöü\u{1B}[6;13H\u{1B}(B\
                \u{1B}[0m\u{1B}[38:2::141:66:125m\u{1B}[48:2::85:174:131mxxxxxxxxxxx\u{1B}[39;49m\u{1B}(0\u{1B}[0;4m\
                qqqqqqqqqqq\u{1B}(B\u{1B}[0m\u{1B}[38:2::141:66:125m\u{1B}[48:2::85:174:131mxxx\u{1B}[7;21H\u{1B}[39\
                ;49m\u{1B}(0\u{1B}[0;1;7mx\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[34G\u{1B}(0\u{1B}[0;1;7m\u{1B}(0\u{1B}[0m\
                \u{1B}[38:2::155:65:127mqqqqqqq\u{1B}[39m\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[9;18H\u{1B}(0\u{1B}[0m\u{1B}\
                [38:2::155:65:127m\u{1B}[39m\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[6;24H\u{1B}[1P\u{1B}[29G\u{1B}[7;3Ha long\
                er text\u{1B}(B\u{1B}[0;1;4;7mI\u{1B}(B\u{1B}[0m to be drawn here\u{1B}(B\u{1B}[m \u{1B}[8;6Ha longe\
                r text to be drawn here\u{1B}[7;16H\u{1B}[3d\u{8}\u{8}\u{1B}[1P\u{1B}[7;10H\u{1B}(B\u{1B}[0;1;7ma lo\
                nger text to be drawn here\u{1B}(B\u{1B}[m\u{1B}[5;22H────────────\u{1B}(B\u{1B}[0;1;4m\u{1B}[3m\
                \u{1B}[48:2::126:185:183mxxxxxxx\u{1B}[6;1Hxxxxxxxxxxxxxx\u{1B}[8d\u{1B}(0\u{1B}[0m\u{1B}[23m\u{1B}[\
                48:2::152:152:233mx\u{1B}[49m\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[9d\u{8}\u{1B}(0\u{1B}[0m\u{1B}[48:2::152\
                :152:233mx\u{1B}[49m\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[10d\u{8}\u{1B}(0\u{1B}[0m\u{1B}[48:2::152:152:233\
                mx\u{1B}[49m\u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[5;34H\u{1B}(0\u{1B}[0m\u{1B}[48:2::152:152:233m\u{1B}[49m\
                \u{1B}(B\u{1B}(B\u{1B}[m\u{1B}[1;7H\u{1B}(0\u{1B}[0mqqqqqqq\u{1B}(B\u{1B}[7G\u{1B}(0\u{1B}[0m\u{1B}(\
                B\r\u{1B}[10d\u{1B}[2S\u{1B}[40G\u{1B}[3;24H
                """,
            lines: [
                "         ──helo─────    äöü           h",
                "ello",
                "                     ────────────xxxxxxx",
                "xxxxxxxxxxxxxxxxxxxxxxx──────────xxx",
                "  a longea longer text to be drawn here─",
                "     a longer │ext to be drawn here",
                "              │",
                "              │",
                "",
                "",
            ]
        ),
        RecordedStream(
            terminal: "linux",
            bytes: """
                \u{1B})0\u{1B}[1;10r\u{1B}[m\u{F}\u{1B}[4l\u{1B}[?7h\u{1B}[39;49m\u{1B}[?25l\u{1B}[?1c\u{1B}[39;49m\
                \u{1B}[m\u{F}\u{1B}[H\u{1B}[J\u{1B}[2;25H\u{1B}[36m\u{1B}[47m────────────\u{1B}[5;11H\u{1B}[39;49m\
                \u{1B}[m\u{F}\u{1B}[H\u{1B}[0;10m\u{F}┌──────────────────────────────────────┐\u{1B}[2;1H│\u{1B}[40G\
                │\u{1B}[3;1H│\u{1B}[40G│\u{1B}[4;1H│\u{1B}[34G\u{1B}[0;10;1m\u{F}\u{1B}[33m\u{1B}[41ma long\u{1B}[39\
                ;49m\u{1B}[0;10m\u{F}│\u{1B}[5;1H│\u{1B}[0;10;1m\u{F}\u{1B}[33m\u{1B}[41m text to be drawn here\
                \u{1B}[40G\u{1B}[39;49m\u{1B}[0;10m\u{F}│\u{1B}[6;1H│\u{1B}[40G│\u{1B}[7;1H│\u{1B}[40G│\u{1B}[8;1H│\
                \u{1B}[40G│\u{1B}[9;1H│\u{1B}[40G│\u{1B}[10;1H└──────────────────────────────────────\u{1B}[?7l┘\
                \u{1B}[?7h\u{1B}[9;3H\u{1B}[m\u{F}\u{1B}[A    \u{1B}[45mI\u{1B}[49m\u{1B}[m\u{F}\u{1B}[K\u{8}\r\
                \u{1B}[4d\u{1B}[J\u{1B}[3;40H \u{1B}[3;4H\u{1B}[9;36H\u{1B}[3;22H\u{1B}[0;10;2;1m\u{F}hello\u{1B}[m\
                \u{F}\u{1B}[H\u{1B}[C\u{1B}[44mI\u{1B}[40G\u{1B}[49m\u{1B}[0;10m\u{F}─\u{1B}[8;12H\u{1B}[0;10;7m\
                \u{F}\u{1B}[31mxxxxxxxxxxxxxxxxxxxxxxxxx\u{1B}[4;5H\u{1B}[39m\u{1B}[m\u{F}\u{1B}[H\u{1B}M\u{1B}[10;4\
                H\u{1B}[H\u{1B}[2L\u{1B}[3;34H\u{1B}[0;10;1m\u{F}\u{1B}[32ma longe\u{1B}[4;1Hr text to be drawn here\
                \u{1B}[7;28H\u{1B}[39mäöü\u{1B}[9;26H\u{1B}[0;10m\u{F}\u{1B}[45m───────────────\u{1B}[10;1H\u{1B}[49\
                m\u{1B}[0;10;7;1m\u{F}I\u{1B}[5;33H\u{1B}[m\u{F}\u{1B}[A\u{1B}[C\u{1B}[31m───────\u{1B}[5;1H─────\
                \u{1B}[39m\u{1B}[m\u{F}\r\u{1B}[10d\u{1B}[J\u{1B}[9;34H\u{1B}[K\r\u{1B}[10d \u{1B}[H\u{1B}M\u{1B}[34\
                G\u{1B}[0;10;7;1m\u{F}───────\u{1B}[2;1H─────\u{1B}[7;23H\u{1B}[m\u{F}\u{1B}[K\u{1B}[2;6H\u{1B}[H┌──\
                ────────────────────────────────────┐\u{1B}[2;1H│\u{1B}[40G│\u{1B}[3;1H│\u{1B}[40G│\u{1B}[4;1H│\
                \u{1B}[40G│\u{1B}[5;1H│\u{1B}[40G│\u{1B}[6;1H│\u{1B}[40G│\u{1B}[7;1H│\u{1B}[40G│\u{1B}[8;1H│\u{1B}[4\
                0G│\u{1B}[9;1H│\u{1B}[40G│\u{1B}[10;1H└──────────────────────────────────────\u{1B}[?7l┘\u{1B}[?7h\
                \u{1B}[9;35H\u{1B}[H\u{1B}[0;10;1m\u{F}┌──────────────────────────────────────┐\u{1B}[2;1H│\u{1B}[40\
                G│\u{1B}[3;1H│\u{1B}[3;20H\u{1B}[0;10;7;1m\u{F}        \u{1B}[38G\u{1B}[0;10;1m\u{F}\u{1B}[40mxxx\
                \u{1B}[4;1Hxxxxxxxxxxxxxxxxxxxxxx\u{1B}[40G\u{1B}[49m│\u{1B}[5;1H│\u{1B}[40G│\u{1B}[6;1H│\u{1B}[6;21\
                H\u{1B}[0;10m\u{F}\u{1B}[36m\u{1B}[47mäöü\u{1B}[40G\u{1B}[39;49m\u{1B}[0;10;1m\u{F}│\u{1B}[7;1H│\
                \u{1B}[7;22H\u{1B}[m\u{F}    xxxxxxxxxxxxxx\u{1B}[0;10;1m\u{F}│\u{1B}[8;1H│\u{1B}[m\u{F}xxxxxxxxx\
                \u{1B}[40G\u{1B}[0;10;1m\u{F}│\u{1B}[9;1H│\u{1B}[9;22H\u{1B}[31m────\u{1B}[40G\u{1B}[39m│\u{1B}[10;1\
                H└──────────────────────────────────────\u{1B}[?7l┘\u{1B}[?7h\u{1B}[3;28H\u{1B}[m\u{F}\u{1B}[8;39H\
                \u{1B}[0;10;1m\u{F}│\u{1B}[m\u{F}\u{1B}[K\u{1B}[2;22H
                """,
            lines: drawn
        ),
        RecordedStream(
            terminal: "screen",
            bytes: """
                \u{1B}(B\u{1B})0\u{1B}[?1049h\u{1B}[1;10r\u{1B}[m\u{F}\u{1B}[4l\u{1B}[39;49m\u{1B}[?1h\u{1B}=\u{1B}[\
                ?25l\u{1B}[39;49m\u{1B}[m\u{F}\u{1B}[H\u{1B}[J\u{1B}[2;25H\u{1B}[36m\u{1B}[47m────────────\u{1B}[5;1\
                1H\u{1B}[39;49m\u{1B}[m\u{F}\u{1B}[H\u{1B}[0m\u{F}┌──────────────────────────────────────┐\u{1B}[2;1\
                H│\u{1B}[40G│\u{1B}[3;1H│\u{1B}[40G│\u{1B}[4;1H│\u{1B}[34G\u{1B}[0;1;2m\u{F}\u{1B}[33m\u{1B}[41ma lo\
                ng\u{1B}[39;49m\u{1B}[0m\u{F}│\u{1B}[5;1H│\u{1B}[0;1;2m\u{F}\u{1B}[33m\u{1B}[41m text to be drawn he\
                re\u{1B}[40G\u{1B}[39;49m\u{1B}[0m\u{F}│\u{1B}[6;1H│\u{1B}[40G│\u{1B}[7;1H│\u{1B}[40G│\u{1B}[8;1H│\
                \u{1B}[40G│\u{1B}[9;1H│\u{1B}[40G│\u{1B}[10;1H└──────────────────────────────────────\u{8}┘\u{8}\
                \u{1B}[1@─\u{1B}M\u{1B}[3G\u{1B}[m\u{F}\u{1B}M    \u{1B}[45mI\u{1B}[49m\u{1B}[m\u{F}\u{1B}[K\u{8}\r\
                \u{1B}[4d\u{1B}[J\u{1B}M\u{1B}[40G \u{1B}[3;4H\u{1B}[9;36H\u{1B}[3;22H\u{1B}[0;1;2m\u{F}hello\u{1B}[\
                m\u{F}\u{1B}[H\u{1B}[C\u{1B}[44mI\u{1B}[40G\u{1B}[49m\u{1B}[0m\u{F}─\u{1B}[8;12H\u{1B}[0;4;7m\u{F}\
                \u{1B}[31mxxxxxxxxxxxxxxxxxxxxxxxxx\u{1B}[4;5H\u{1B}[39m\u{1B}[m\u{F}\u{1B}[H\u{1B}M\u{1B}[10;4H\
                \u{1B}[H\u{1B}[2T\u{1B}[3;34H\u{1B}[0;1m\u{F}\u{1B}[32ma longe\u{1B}[4;1Hr text to be drawn here\
                \u{1B}[7;28H\u{1B}[39mäöü\u{1B}[9;26H\u{1B}[0m\u{F}\u{1B}[45m───────────────\u{1B}[10;1H\u{1B}[49m\
                \u{1B}[0;1;7m\u{F}I\u{1B}[5;33H\u{1B}[m\u{F}\u{1B}M\u{1B}[C\u{1B}[31m───────\u{1B}[5;1H─────\u{1B}[3\
                9m\u{1B}[m\u{F}\r\u{1B}[10d\u{1B}[J\u{1B}M\u{1B}[34G\u{1B}[K\r\u{1B}[10d \u{1B}[H\u{1B}M\u{1B}[34G\
                \u{1B}[0;1;7m\u{F}───────\u{1B}[2;1H─────\u{1B}[7;23H\u{1B}[m\u{F}    \u{1B}[2;6H\r\u{1B}M┌─────────\
                ─────────────────────────────┐\u{1B}[2;1H│\u{1B}[40G│\u{1B}[3;1H│\u{1B}[40G│\u{1B}[4;1H│\u{1B}[40G│\
                \u{1B}[5;1H│\u{1B}[40G│\u{1B}[6;1H│\u{1B}[40G│\u{1B}[7;1H│\u{1B}[40G│\u{1B}[8;1H│\u{1B}[40G│\u{1B}[9\
                ;1H│\u{1B}[40G│\u{1B}[10;1H└──────────────────────────────────────\u{8}┘\u{8}\u{1B}[1@─\u{1B}M\u{1B}\
                [35G\u{1B}[H\u{1B}[0;1m\u{F}┌──────────────────────────────────────┐\u{1B}[2;1H│\u{1B}[40G│\u{1B}[3;\
                1H│\u{1B}[3;20H\u{1B}[0;1;7m\u{F}        \u{1B}[38G\u{1B}[0;1m\u{F}\u{1B}[40mxxx\u{1B}[4;1Hxxxxxxxxx\
                xxxxxxxxxxxxx\u{1B}[40G\u{1B}[49m│\u{1B}[5;1H│\u{1B}[40G│\u{1B}[6;1H│\u{1B}[6;21H\u{1B}[0m\u{F}\
                \u{1B}[36m\u{1B}[47mäöü\u{1B}[40G\u{1B}[39;49m\u{1B}[0;1m\u{F}│\u{1B}[7;1H│\u{1B}[7;22H\u{1B}[m\u{F}\
                    xxxxxxxxxxxxxx\u{1B}[0;1m\u{F}│\u{1B}[8;1H│\u{1B}[m\u{F}xxxxxxxxx\u{1B}[40G\u{1B}[0;1m\u{F}│\
                \u{1B}[9;1H│\u{1B}[9;22H\u{1B}[31m────\u{1B}[40G\u{1B}[39m│\u{1B}[10;1H└────────────────────────────\
                ──────────\u{8}┘\u{8}\u{1B}[1@─\u{1B}[3;28H\u{1B}[m\u{F}\u{1B}[8;31H\u{1B}[1P\u{1B}[2;22H
                """,
            lines: drawn
        ),
        RecordedStream(
            terminal: "vt100",
            bytes: """
                \u{1B}(B\u{1B})0\u{1B}[1;10r\u{1B}[m\u{F}\u{1B}[?7h\u{1B}[?1h\u{1B}=\u{1B}[H\u{1B}[J\u{1B}[0;1m\u{E}\
                lqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqk\u{F}\u{1B}[m\u{F}\u{1B}[2;1H\u{1B}[0;1m\u{E}x\u{F}\u{1B}[m\
                \u{F}\u{1B}[38C\u{1B}[0;1m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[3;1H\u{1B}[0;1m\u{E}x\u{F}\u{1B}[m\u{F}\
                \u{1B}[38C\u{1B}[0;1m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[4;1H\u{1B}[0;1m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[38\
                C\u{1B}[0;1m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[5;1H\u{1B}[0;1m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[38C\u{1B}[0\
                ;1m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[6;1H\u{1B}[0;1m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[38C\u{1B}[0;1m\u{E}x\
                \u{F}\u{1B}[m\u{F}\u{1B}[7;1H\u{1B}[0;1m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[38C\u{1B}[0;1m\u{E}x\u{F}\
                \u{1B}[m\u{F}\u{1B}[8;1H\u{1B}[0;1m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[38C\u{1B}[0;1m\u{E}x\u{F}\u{1B}[m\
                \u{F}\u{1B}[9;1H\u{1B}[0;1m\u{E}x\u{1B}[0;1;4m\u{E}qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq\u{1B}[0;1m\
                \u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[10;1H\u{1B}[0;1m\u{E}mqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq\u{1B}[?7\
                lj\u{1B}[?7h\u{F}\u{1B}[m\u{F}\u{1B}[4A\u{1B}[37D\u{1B}[0;1m\u{E}\u{F}\u{1B}[m\u{F}\u{1B}[3;25H\
                \u{1B}[0;4;7m\u{F}xxxxxxxxxxxxxxxx\u{1B}[4;1Hxxxxxxxxx\u{1B}[m\u{F}\r\u{1B}[2A\u{1B}[J\u{1B}[H      \
                           I                   \u{1B}[0;1m\u{F}I\u{1B}[m\u{F}  \u{1B}[5;9H\u{1B}[H\u{1B}[J\u{1B}[4;1\
                2H\u{1B}[1B\u{1B}[5C\u{1B}[0;1m\u{F}I\u{8}\u{1B}[m\u{F}\u{1B}[3A    \u{1B}[0m\u{E}qqqqqq\u{F}\u{1B}[\
                6D\u{1B}[0m\u{E}\u{F}\räöü\u{1B}[H\u{1B}[0;7m\u{E}lqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqk\u{F}\
                \u{1B}[m\u{F}\u{1B}[2;1H\u{1B}[0;7m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[38C\u{1B}[0;7m\u{E}x\u{F}\u{1B}[m\
                \u{F}\u{1B}[3;1H\u{1B}[0;7m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[38C\u{1B}[0;7m\u{E}x\u{F}\u{1B}[m\u{F}\
                \u{1B}[4;1H\u{1B}[0;7m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[38C\u{1B}[0;7m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[5;\
                1H\u{1B}[0;7m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[38C\u{1B}[0;7m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[6;1H\u{1B}[\
                0;7m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[38C\u{1B}[0;7m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[7;1H\u{1B}[0;7m\u{E}\
                x\u{F}\u{1B}[m\u{F}\u{1B}[38C\u{1B}[0;7m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[8;1H\u{1B}[0;7m\u{E}x\u{F}\
                \u{1B}[m\u{F}\u{1B}[38C\u{1B}[0;7m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[9;1H\u{1B}[0;7m\u{E}x\u{F}\u{1B}[m\
                \u{F}\u{1B}[38C\u{1B}[0;7m\u{E}x\u{F}\u{1B}[m\u{F}\u{1B}[10;1H\u{1B}[0;7m\u{E}mqqqqqqqqqqqqqqqqqqqqq\
                qqqqqqqqqqqqqqqqq\u{1B}[?7lj\u{1B}[?7h\u{F}\u{1B}[m\u{F}\u{1B}[9A\u{8}\u{8}\u{8}\u{1B}[0;7m\u{E}\
                \u{F}\u{1B}[m\u{F}\u{1B}[4;19H\u{1B}[0;1;7m\u{F}äöü\u{1B}[2B\u{1B}[17C\u{1B}[0;7m\u{E}x\u{F}\u{1B}[m\
                \u{F} \u{1B}[9;32H\u{1B}[0;1;7m\u{F}I\u{1B}[7C\u{1B}[m\u{F} \u{1B}[4;22H\r\u{1B}[4B\u{1B}[J\u{1B}[2A\
                \u{1B}[33Cxxx\u{1B}[0m\u{F}hell\u{1B}[7;1Ho\u{1B}[m\u{F}xxxxxxxxxxxxxxxxx\u{1B}[K\u{1B}[17D\u{1B}[5;\
                19H\u{1B}[0;1;7m\u{F}────────────\u{1B}[m\u{F}\u{1B}[H\u{1B}M\u{1B}[9Ba longer text to be drawn here\
                \u{1B}[1A\u{1B}[5C\u{1B}[H\u{1B}[0m\u{E}lqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqk\u{F}\u{1B}[2;1H\
                \u{1B}[0m\u{E}x\u{F}\u{1B}[2;17H\u{1B}[0m\u{E}\u{1B}[0;1;4m\u{F}hello\u{1B}[18C\u{1B}[0m\u{E}x\u{F}\
                \u{1B}[3;1H\u{1B}[0m\u{E}x\u{F}\u{1B}[38C\u{1B}[0m\u{E}\u{F}x\u{1B}[4;1Hxxxxxxxxxxxxxxxxxxxxxxxx\
                \u{1B}[15C\u{1B}[0m\u{E}x\u{F}\u{1B}[5;1H\u{1B}[0m\u{E}x\u{F}\u{1B}[5;28H\u{1B}[0m\u{E}\u{1B}[0;7m\
                \u{F}xxxxxxxxxxxx\u{1B}[0m\u{E}x\u{F}\u{1B}[6;1H\u{1B}[0m\u{E}x\u{1B}[0;7m\u{F}xxxxxxxxxxx\u{1B}[27C\
                \u{1B}[0m\u{E}x\u{F}\u{1B}[7;1H\u{1B}[0m\u{E}x\u{F}\u{1B}[32C\u{1B}[0m\u{E}\u{F}     xx\u{1B}[8;1Hx\
                \u{1B}[8;19Hxxxxx\u{1B}[16C\u{1B}[0m\u{E}x\u{F}\u{1B}[9;1H\u{1B}[0m\u{E}x\u{F}\u{1B}[38C\u{1B}[0m\
                \u{E}x\u{F}\u{1B}[10;1H\u{1B}[0m\u{E}mqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq\u{1B}[?7lj\u{1B}[?7h\
                \u{F}\u{1B}[8;24H\u{1B}[0m\u{E}\u{F}\u{1B}[1B\u{1B}[15C
                """,
            lines: [
                "┌──────────────────────────────────────┐",
                "│───────────────hello──────────────────│",
                "│öü                 ──────             x",
                "xxxxxxxxxxxxxxxxxxxxxxxx               │",
                "│                 äöü      xxxxxxxxxxxx│",
                "│xxxxxxxxxxx    I ────────────         │",
                "│                                     xx",
                "xxxxxxxxxxxxxxxxxxxxxxx                │",
                "│                                      │",
                "└──────────────────────────────────────┘",
            ]
        ),
    ]
}
