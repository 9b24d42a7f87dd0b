import Foundation
import TerminalUI
import Testing

@testable import LiveryApp

/// Every view of the screen of tweaks, cell by cell, as it was looked at and found right.
///
/// With `LIVERY_RECORD_GOLDENS=1` in the environment the files are written anew; look at the difference then.
@MainActor
struct TweakGoldenTests {
    nonisolated static let views: [(name: String, search: String?, keys: [String])] = [
        ("categories", nil, []),
        ("rows", nil, ["j", "Enter", "Space", "j", "j"]),
        ("search", nil, ["/", "c", "o", "l"]),
        ("question", nil, ["X"]),
        ("toggle", "showcase.toggle", []), ("segmented", "showcase.segmented", ["Right"]),
        ("stepper", "showcase.stepper", ["Up"]), ("mistake", "showcase.stepper", ["9", "9"]),
        ("slider", "showcase.slider", ["L"]), ("text", "showcase.text", ["Left", "Left"]),
        ("color", "showcase.color", ["Tab", "Right"]), ("options", "showcase.mood", ["Down", "Enter"]),
        ("options-custom", "showcase.speed", ["Down", "Down", "5"]),
        ("optional", "showcase.nickname", ["Space", "Down", "T", "o"]),
        ("array", "showcase.tags", ["Down"]), ("array-element", "showcase.tags", ["a", "x"]),
        ("custom", "showcase.rating", ["Right"]), ("background", "background", []),
    ]

    @Test(arguments: views, [Size(columns: 80, rows: 24), Size(columns: 40, rows: 12)])
    func everyViewLooksAsItDid(view: (name: String, search: String?, keys: [String]), size: Size) throws {
        let desk = try TweakDesk(columns: size.columns, rows: size.rows)
        if let search = view.search { desk.open(search) } else { desk.press("t") }
        for key in view.keys { desk.press(key) }
        let picture = Self.picture(of: desk.model.view())
        let path = "\(Self.folder)/\(view.name)-\(size.columns)x\(size.rows).txt"
        if ProcessInfo.processInfo.environment["LIVERY_RECORD_GOLDENS"] == "1" {
            try Data(picture.utf8).write(to: URL(filePath: path))
        }
        let expected = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        #expect(picture == expected, "\(picture)")
    }

    nonisolated private static var folder: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path + "/Goldens"
    }

    /// The text of all rows, a letter for the style of each cell, and what the letters stand for.
    private static func picture(of grid: Grid) -> String {
        var letters: [Style: Character] = [:]
        var legend: [String] = []
        let alphabet = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789αβγδεζηθικλμνξοπρστυφχψω")
        let styles = (0..<grid.size.rows).map { row in
            String(
                grid.row(row).map { cell in
                    if let letter = letters[cell.style] { return letter }
                    let letter = alphabet[letters.count]
                    letters[cell.style] = letter
                    let style = cell.style
                    legend.append("\(letter) \(style.foreground) on \(style.background) \(style.attributes.rawValue)")
                    return letter
                }
            )
        }
        return (grid.lines + styles + legend).map { $0 + "\n" }.joined()
    }
}
