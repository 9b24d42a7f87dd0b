import TerminalUI
import TestSupport
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

    /// The desktop specification has relative paths ignored, wherever the program was started.
    @Test func aRelativeFolderOfSettingsIsPassedOver() throws {
        let home = try TemporaryDirectory()
        try home.write(#"{"quit": "x"}"#, to: ".config/livery/keys.json")
        for folder in ["relative", "", "."] {
            let environment = ["XDG_CONFIG_HOME": folder, "HOME": home.path]
            #expect(try KeyMap.forUser(environment: environment).hint(for: .quit) == "x Quit")
            let credentials = CredentialFile(environment: environment).path
            #expect(credentials == home.path(to: ".config/livery/credentials.json"))
        }
    }
}
