// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI
import TestSupport
import Testing

@testable import LiveryScreens

/// Each editor by keys, at both sizes, down to what is stored.
@MainActor
struct TweakEditorTests {
    nonisolated static let byKeys: [(name: String, id: String, keys: [String], expected: String)] = [
        ("Toggle", "toggle", ["Space"], "true"),
        ("Segmented", "segmented", ["Right"], "true"),
        ("Stepper", "stepper", ["Up", "Up"], "5"),
        ("Stepper", "stepper", ["8"], "8"),
        ("Stepper", "stepper", ["Up", "8"], "8"),
        ("Stepper", "stepper", ["Backspace", "9", "Down", "Backspace", "7"], "7"),
        ("Slider", "slider", ["l", "L", "Shift-Right"], "0.71"),
        ("Slider", "slider", ["End"], "1"),
        ("Text field", "text", ["End", "Backspace", "Home", "Delete", "g"], #""grüße, 世界 ""#),
        ("Colour picker", "color", ["Tab", "Tab", "Right"], ##""#88CEFA""##),
        ("Colour picker", "color", ["Down", "Right", "Right", "Enter"], ##""#2E2E2E""##),
        ("Colour picker", "color", ["Shift-Tab", "End"], ##""#FFFFFF""##),
        ("Colour picker", "color", ["Shift-Tab", "Tab", "#", "0", "0", "0"], ##""#000000""##),
        ("Option picker", "mood", ["Down", "Enter"], #""curious""#),
        ("Options or", "speed", ["Down", "Space"], "100"),
        ("Options or", "speed", ["Down", "Down", "4", "2"], "42"),
        ("Optional", "nickname", ["Space", "Down", "T", "o"], #""To""#),
        ("Array", "tags", ["a", "x", "Enter"], #"["red, green","x","blue"]"#),
        ("Array", "tags", ["d"], #"["blue"]"#),
        ("Array", "tags", ["J"], #"["blue","red, green"]"#),
        ("rating", "rating", ["Right"], "4"),
        ("rating", "rating", ["1"], "1"),
    ]

    @Test(arguments: byKeys)
    func everyEditorIsUsedByKeys(row: (name: String, id: String, keys: [String], expected: String)) throws {
        for size in [Size(columns: 80, rows: 24), Size(columns: 40, rows: 12), Size(columns: 20, rows: 5)] {
            let desk = try TweakDesk(columns: size.columns, rows: size.rows, opening: row.name)
            for key in row.keys { desk.press(key) }
            #expect(desk.override("showcase.\(row.id)") == row.expected, "\(size)")
            #expect(desk.model.view().faults == [])
        }
    }

    nonisolated static let byMouse: [(name: String, id: String, clicks: [String], expected: String)] = [
        ("Toggle", "toggle", ["[ ] off"], "true"),
        ("Segmented", "segmented", ["[ Dogs ]"], "true"),
        ("Stepper", "stepper", ["[+]", "[+]", "[-]"], "4"),
        ("Slider", "slider", ["●──"], "0.5556"),
        ("Colour picker", "color", ["   ●"], ##""#7BCEFA""##),
        ("Option picker", "mood", ["( ) wild"], #""wild""#),
        ("Options or", "speed", ["( ) Fast"], "100"),
        ("Options or", "speed", ["( ) Slow"], "1"),
        ("Optional", "nickname", ["[ ] not set"], #""""#),
        ("Array", "tags", ["[v]"], #"["blue","red, green"]"#),
        ("Array", "tags", ["[x]"], #"["blue"]"#),
        ("Array", "tags", ["[+ Add]"], #"["red, green","blue",""]"#),
        ("rating", "rating", ["☆"], "4"),
    ]

    @Test(arguments: byMouse)
    func everyEditorIsUsedByTheMouse(row: (name: String, id: String, clicks: [String], expected: String)) throws {
        let desk = try TweakDesk(opening: row.name)
        for text in row.clicks { desk.click(text) }
        #expect(desk.override("showcase.\(row.id)") == row.expected, "\(desk.screen)")
    }

    @Test func aFieldTakesClustersWordsAndPastes() throws {
        let desk = try TweakDesk(opening: "Text field")
        desk.press("Ctrl-U")
        desk.paste("née 👩‍👩‍👧 two\nlines")
        desk.press("Ctrl-W", "Ctrl-Left", "Left", "Backspace")
        #expect(desk.override("showcase.text") == #""née  two\n""#)
        desk.press("Alt-u", "Alt-u", "Alt-u", "Alt-u")
        #expect(desk.override("showcase.text") == nil)
    }

    @Test func escapeReportsTextThatIsNotApplied() throws {
        let desk = try TweakDesk(opening: "Colour picker")
        desk.press("{#11}", "Esc")
        #expect(desk.model.panels.last?.kind == .tweaks && desk.override("showcase.color") == nil)
        #expect(desk.screen.contains("Not applied: ") && desk.screen.contains("#11"), "\(desk.screen)")
    }

    @Test func aDragStaysOnThePartWhereItBeganAndIsOneEdit() throws {
        let desk = try TweakDesk(opening: "Colour picker")
        let red = try #require(desk.screen.split(separator: "\n").firstIndex { $0.contains("Red ") })
        let track = try #require(desk.model.lines[red].firstIndex(of: "●"))
        let start = Point(column: desk.model.lines[red][..<track].columnWidth, row: red)
        desk.use(.press(button: 0), at: start)
        // Into the rows below, and further to the left than the track goes.
        for row in 1...4 { desk.use(.drag(button: 0), at: Point(column: start.column - row, row: red + row)) }
        desk.use(.drag(button: 0), at: Point(column: 0, row: red + 5))
        desk.use(.release(button: 0), at: Point(column: 0, row: red + 5))
        #expect(desk.override("showcase.color") == ##""#00CEFA""##)
        desk.press("Down", "Right")
        #expect(desk.override("showcase.color") == ##""#00CFFA""##, "the next row, by a key")
        desk.press("u")
        #expect(desk.override("showcase.color") == ##""#00CEFA""##)
        desk.press("u")
        #expect(desk.override("showcase.color") == nil, "the whole drag is one edit")
    }

    @Test func aButtonThatIsHeldDownIsPressedOnce() throws {
        let desk = try TweakDesk(stored: #"{"default/showcase.tags": ["a", "b", "c", "d"]}"#, opening: "Array")
        for (button, expected) in [("[x]", #"["b","c","d"]"#), ("[v]", #"["c","b","d"]"#)] {
            desk.use(.press(button: 0), at: button)
            for _ in 0..<3 { desk.use(.drag(button: 0), at: button) }
            desk.use(.release(button: 0), at: button)
            #expect(desk.override("showcase.tags") == expected)
        }
    }

    @Test func aPointerHeldDownOverTheGridChoosesTheColourUnderIt() throws {
        let desk = try TweakDesk(opening: "Colour picker")
        // The last row but one.
        let place = try #require(desk.model.lines.firstIndex { $0.contains("Red ") }) - 2
        let left = PanelPlace.side(in: Size(columns: 80, rows: 24)).content.origin.column
        desk.use(.press(button: 0), at: Point(column: left + 4, row: place))
        let pressed = try #require(desk.override("showcase.color"))
        desk.use(.drag(button: 0), at: Point(column: left + 15, row: place))
        let dragged = try #require(desk.override("showcase.color"))
        #expect(dragged != pressed)
        desk.use(.drag(button: 0), at: Point(column: 0, row: 0))
        #expect(desk.override("showcase.color") == dragged, "nothing is chosen outside the grid")
        desk.use(.release(button: 0), at: Point(column: 0, row: 0))
        desk.press("u")
        #expect(desk.override("showcase.color") == nil, "the whole drag is one edit")
    }

    /// The ninth part of an array is not a part of the colour picker.
    @Test func aDragEndsWithTheEditorThatItBeganIn() throws {
        let tags = #"["1", "2", "3", "4", "5", "6", "7", "8", "nine"]"#
        let desk = try TweakDesk(stored: "{\"default/showcase.tags\": \(tags)}", opening: "Array")
        desk.use(.press(button: 0), at: "9. nine")
        desk.press("Esc", "Esc", "/", "Ctrl-U", "{Colour picker}", "Enter", "Enter")
        #expect(desk.screen.contains("Hue"), "\(desk.screen)")
        for column in 40..<60 { desk.use(.drag(button: 0), at: Point(column: column, row: 10)) }
        #expect(desk.override("showcase.color") == nil)
    }

    @Test(arguments: [["F1", "release", "Esc"], ["F1", "Esc", "press elsewhere"]])
    func aDragEndsWithItsReleaseOrTheNextPress(inputs: [String]) throws {
        let desk = try TweakDesk(opening: "Slider")
        desk.use(.press(button: 0), at: "━●─")
        desk.use(.drag(button: 0), at: "●──")
        let stored = desk.override("showcase.slider")
        for input in inputs {
            switch input {
            case "release": desk.use(.release(button: 0), at: Point(column: 40, row: 12))
            case "press elsewhere": desk.use(.press(button: 0), at: "Slider")
            default: desk.press(input)
            }
        }
        desk.use(.drag(button: 0), at: Point(column: 0, row: 0))
        #expect(desk.override("showcase.slider") == stored)
        desk.press("u")
        #expect(desk.override("showcase.slider") == nil)
    }

    @Test(arguments: [
        ("9223372036854775807", "★★★★★", "Left", "4"), ("-9223372036854775808", "☆☆☆☆☆", "Right", "1"),
        ("4", "★★★★☆", "Right", "5"), ("4.0", "★★★★☆", "Left", "3"), ("1e300", "★★★☆☆", "Right", "4"),
    ])
    func aNumberBeyondReasonIsShownAtTheNearestEnd(stored: String, shown: String, key: String, next: String) throws {
        let desk = try TweakDesk(stored: "{\"default/showcase.rating\": \(stored)}", opening: "rating")
        #expect(desk.screen.contains(shown), "\(desk.screen)")
        desk.press(key)
        #expect(desk.override("showcase.rating") == next)
        #expect(desk.model.view().faults == [])
    }

    @Test func theWheelOverAnotherOptionChangesNothing() throws {
        let desk = try TweakDesk(opening: "Options or")
        desk.press("Down", "Down", "Ctrl-U", "4", "2")
        for option in ["( ) Fast", "(•) Other"] { desk.use(.scroll(-1), at: option) }
        #expect(desk.override("showcase.speed") == "42")
        desk.use(.scroll(-1), at: "[+]")
        #expect(desk.override("showcase.speed") == "43")
    }

    @Test func wheelChangesTheValueUnderThePointer() throws {
        let desk = try TweakDesk(opening: "Slider")
        for _ in 0..<3 { desk.use(.scroll(-1), at: "━●─") }
        let raised = try #require(desk.override("showcase.slider").flatMap(Double.init))
        #expect(raised > 0.5)
        desk.press("Alt-u")
        #expect(desk.override("showcase.slider") == nil)
    }

    @Test(arguments: [
        ("Colour picker", "showcase.color", "#FF88", ##""#FFFF88""##, "99", ##""#FF8899""##),
        ("Stepper", "showcase.stepper", "11", "1", "", "1"),
    ])
    func typedTextSurvivesUpdates(
        name: String,
        id: String,
        typed: String,
        stored: String,
        more: String,
        end: String
    ) throws {
        let desk = try TweakDesk(opening: name)
        desk.press("Ctrl-U", "{\(typed)}")
        #expect(desk.override(id) == stored, "the last of the prefixes that are values")
        #expect(desk.model.lines.contains { $0.contains("\(typed) ") }, "\(desk.screen)")
        desk.press("{\(more)}")
        #expect(desk.override(id) == end)
        desk.press("Alt-z")
        #expect(desk.override(id) == nil)
        #expect(!desk.model.lines.contains { $0.contains("\(typed)\(more) ") }, "a reset lets go of it")
    }

    @Test func eachWordIsUndoneAndDoneAgain() throws {
        let desk = try TweakDesk(opening: "Text field")
        desk.press("Ctrl-U", "{one two}")
        let states = [#""one two""#, #""one ""#, #""one""#, #""""#, nil]
        for state in states {
            #expect(desk.override("showcase.text") == state)
            desk.press("Alt-u")
        }
        for state in states.reversed() {
            #expect(desk.override("showcase.text") == state)
            desk.press("Ctrl-R")
        }
        #expect(desk.screen.contains("Nothing to redo"))
        desk.press("Alt-u", "{!}", "Ctrl-R")
        #expect(desk.screen.contains("Nothing to redo"), "an edit ends what can be done again")
    }

    @Test(arguments: [
        ("Colour picker", " #FF8899 \r", ##""#FF8899""##), ("Text field", "a\r\nb\rc \r\n", #""a\nb\nc ""#),
        ("Text field", "a\r\n\r\n", #""a\n""#), ("Text field", "a\t", #""a\t""#), ("Text field", " ", #"" ""#),
    ])
    func aPasteLosesTheEndOfItsLastLineOnly(name: String, text: String, expected: String) throws {
        let desk = try TweakDesk(opening: name)
        desk.press("Ctrl-U")
        desk.paste(text)
        #expect(desk.override(name == "Text field" ? "showcase.text" : "showcase.color") == expected)
    }

    @Test func eachPasteIsAnEdit() throws {
        let desk = try TweakDesk(opening: "Text field")
        desk.press("Ctrl-U")
        for text in ["hello ", "world"] { desk.paste(text) }
        #expect(desk.override("showcase.text") == #""hello world""#)
        desk.press("Alt-u")
        #expect(desk.override("showcase.text") == #""hello ""#)
    }

    /// Of a list of another length, the open element may be any.
    @Test func aListOfAnotherLengthClosesItsElement() throws {
        let desk = try TweakDesk(opening: "Array")
        desk.press("Enter", "Home")
        let other = #"["x","y","z"]"#
        try #require(desk.tweaks.repository.tweak(id: "showcase.tags")).set(text: other)
        desk.update()
        desk.press("!")
        #expect(desk.override("showcase.tags") == other)
    }

    @Test func invalidInputIsReportedAndNotStored() throws {
        let desk = try TweakDesk(opening: "Stepper")
        desk.press("{99}")
        #expect(desk.screen.contains("is not between 0 and 10"))
        #expect(desk.override("showcase.stepper") == "9", "the last text that was valid")
        desk.press("Enter")
        #expect(desk.screen.contains("[-] 99") && desk.screen.contains("Not applied: 99"), "\(desk.screen)")
        desk.press("Ctrl-U", "7")
        #expect(desk.override("showcase.stepper") == "7")
    }

    @Test func aSliderReachesItsEnds() {
        #expect(SliderTrack(5, in: 0...10, columns: 11).text == "━━━━━●─────")
        #expect(SliderTrack(.nan, in: 0...10, columns: 3).text == "●──")
        #expect(SliderTrack(99, in: 0...10, columns: 3).text == "━━●")
        #expect(SliderTrack.value(at: 10, of: 11, in: 0...10) == 10)
        #expect(SliderTrack.value(at: -4, of: 1, in: 2...10) == 2)
    }
}
