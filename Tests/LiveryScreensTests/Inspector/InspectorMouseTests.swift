// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI
import Testing

@testable import LiveryScreens

struct InspectorMouseTests {
    private static func model(columns: Int = 80, rows: Int = 12) throws -> DemoModel {
        var model = try Demo.model(InspectorListTests.document(of: 500), size: Size(columns: columns, rows: rows))
        model.press("i")
        return model
    }

    @Test func aClickSelectsAndASecondOpens() throws {
        var model = try Self.model()
        model.click("key100003")
        #expect(model.inspector?.keyList.selectedKey == "key100003")
        #expect(model.page == nil)
        model.click("key100003")
        #expect(model.page?.content.key == "key100003")
    }

    @Test func theWheelScrollsAndTakesTheCursorAlong() throws {
        var model = try Self.model()
        _ = model.mouse(.scroll(1), 60, 5)
        #expect(model.inspectorLines[1].contains("key100003"))
        #expect(model.inspector?.keyList.selectedKey == "key100003")
        _ = model.mouse(.scroll(-1), 60, 5)
        #expect(model.inspectorLines[1].contains("key100000"))
        #expect(model.inspector?.keyList.selectedKey == "key100003")
    }

    @Test(
        arguments: [
            ("Enter Open", []), ("y Copy", [.copy("0x")]), ("/ Filter", []), ("Esc Close", []),
        ] as [(String, [DemoModel.Effect])]
    )
    func theHintsInTheBorderAreClicked(hint: String, effects: [DemoModel.Effect]) throws {
        var model = try Self.model(columns: 120)
        #expect(model.lines.last?.contains(hint) == true)
        #expect(model.click(hint) == effects)
        #expect((model.page != nil) == (hint == "Enter Open"))
        #expect((model.inspector?.list.isTyping == true) == (hint == "/ Filter"))
        #expect((model.inspector == nil) == (hint == "Esc Close"))
    }

    @Test func mainScreenNextToItStaysLive() throws {
        var model = try Demo.model(size: Size(columns: 160, rows: 24))
        model.press("i")
        #expect(model.click("▸") == [.open(model.values.buttonURL)])
        #expect(model.click("q Quit") == [.quit(signal: nil)])
        #expect(model.inspector != nil)
    }
}
