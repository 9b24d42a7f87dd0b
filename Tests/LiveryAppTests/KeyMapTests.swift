import TerminalUI
import Testing

@testable import LiveryApp

struct KeyMapTests {
    @Test func everyActionHasAKeyAndEveryKeyOneAction() {
        let bindings = KeyMap.standard.bindings
        #expect(Set(bindings.map(\.action)) == Set(Action.allCases))
        #expect(Set(bindings.map(\.key)).count == bindings.count)
        for binding in bindings {
            #expect(KeyMap.standard.action(for: binding.key) == binding.action)
            #expect(Key(binding.key.description) == binding.key)
        }
    }

    @Test func aHintNamesTheFirstKey() {
        #expect(KeyMap.standard.hint(for: .quit) == "q Quit")
        #expect(KeyMap.standard.keys(for: .quit).map(\.description) == ["q", "Ctrl-C"])
        #expect(KeyMap(bindings: []).hint(for: .quit) == "")
        #expect(KeyMap(bindings: []).action(for: .character("q")) == nil)
    }
}
