// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI
import Testing

@testable import LiveryScreens

struct PaletteTests {
    @Test(arguments: [":", "Ctrl-P"])
    func anActionIsFoundByItsWordsAndRun(key: String) throws {
        var model = try Demo.model()
        model.press(key, "{refresh}")
        #expect(model.lines.contains { $0.contains("▌Refresh from the source") && $0.contains("r │") })
        #expect(model.press("Enter") == [.refresh])
        #expect(model.panels.isEmpty)
    }

    @Test func theActionsOfTheTopScreenHideTheOthersOnTheirKeys() throws {
        var model = try Demo.model(size: Size(columns: 120, rows: 60))
        model.press("i", ":")
        let text = model.lines.joined(separator: "\n")
        #expect(text.contains("Copy the value"))
        #expect(!text.contains("Close the open panel") && !text.contains("Find an action"))
        model.press("{refresh from}")
        #expect(model.lines.contains { $0.contains("Refresh from the source") })
        model.press("Ctrl-U", "{sort}", "Enter")
        #expect(model.inspector?.keyList.order.sorting == .change)
    }

    @Test func inAFieldOnlyActionsOfOtherKeysAreOffered() throws {
        var model = try Demo.model(size: Size(columns: 120, rows: 60))
        model.press("i", "/", ":", "Ctrl-P")
        #expect(model.inspector?.list.filter?.text == ":")
        let text = model.lines.joined(separator: "\n")
        #expect(text.contains("Redraw the screen") && !text.contains("Refresh from the source"))
        model.press("Esc")
        #expect(model.inspector?.list.isTyping == true)
    }

    @Test(arguments: [[], ["i"], ["i", "Enter"], ["t"]])
    func aKeyIsFoundAndOpened(screens: [String]) throws {
        var model = try Demo.model()
        for key in screens { model.press(key) }
        model.press(":", "{fun url}", "Enter")
        #expect(model.page?.content.key == "app.fun_button.url")
        #expect(screens.first != "i" || model.inspector?.keyList.selectedKey == "app.fun_button.url")
        model.press("Esc")
        #expect(model.page == nil)
    }

    @Test func keysThatComeAndGoAreFoundWhileItIsOpen() throws {
        var model = try Demo.model(#"{"banner.a": 1}"#)
        model.press(":", "{banner}")
        try model.read(#"{"banner.b": 1}"#)
        model.press("Enter")
        #expect(model.page?.content.key == "banner.b")
    }

    @Test func everyRowIsReachedByKeysAndMouse() throws {
        var model = try Demo.model(InspectorListTests.document(of: 500))
        model.press(":", "PageDown", "PageDown", "PageDown", "Up", "{key100499}", "Enter")
        #expect(model.page?.content.key == "key100499")
        model.press(":", "{key100002}")
        model.click("▌key100002")
        #expect(model.page?.content.key == "key100002")
        model.press(":")
        _ = model.mouse(.press(button: 0), 0, 0)
        #expect(model.panels.last?.kind == .key("key100002"), "a click outside closes the palette")
    }
}
