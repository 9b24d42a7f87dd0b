// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Programs
import Testing

@testable import LiveryServer

struct VariableTests {
    @Test func everyServerOptionHasAVariable() throws {
        let serve = try #require(try LiveryServerCommand.parseAsRoot(["serve"]) as? Serve)
        // The long options of the help: those of settings have a value.
        let help = LiveryServerCommand.helpMessage(for: type(of: serve), columns: 200)
        let options = Set(help.matches(of: /\n  --([a-z-]+) </).map { String($0.1) })
        let known = Set(LiveryVariable.allCases.filter { $0.summary == nil && $0 != .storePassword }.map(\.rawValue))
        #expect(options == known)
    }

    @Test(arguments: [
        (["LIVERY_TOKENFILE": "t"], "unknown environment variable LIVERY_TOKENFILE; did you mean LIVERY_TOKEN_FILE?"),
        (["LIVERY_TOKENS": "t"], "unknown environment variable LIVERY_TOKENS; did you mean LIVERY_TOKEN_FILE?"),
        (["LIVERY_SORUCE": "s"], "unknown environment variable LIVERY_SORUCE; did you mean LIVERY_STORE?"),
        (["LIVERY_SOMETHING_ELSE": "x"], "unknown environment variable LIVERY_SOMETHING_ELSE; unset it"),
        // Kubernetes gives an address.
        (["LIVERY_PORT": "8080"], "unknown environment variable LIVERY_PORT; did you mean LIVERY_ADDRESS?"),
        (["LIVERY_HOST": "0.0.0.0"], "unknown environment variable LIVERY_HOST; did you mean LIVERY_ADDRESS?"),
    ])
    func unknownVariablesAreReported(environment: [String: String], message: String) {
        #expect(LiveryVariable.problems(in: environment, ofServer: true) == [message])
    }

    @Test(arguments: [(["--help"], true), (["help", "serve"], true), (["token", "list"], false), ([], false)])
    func helpIgnoresUnknownVariables(arguments: [String], isHelp: Bool) throws {
        let command = try LiveryServerCommand.parseAsRoot(arguments)
        let check = { try Main.checkVariables(["LIVERY_TOKNE": "x"], for: command) }
        if isHelp { try check() } else { #expect(throws: ValidationError.self, performing: check) }
    }

    @Test func aClientIsReferredToItsOwnVariables() {
        let problems = LiveryVariable.problems(in: ["LIVERY_SORUCE": "s", "LIVERY_TOKENS": "t"], ofServer: false)
        let advice = problems.map { $0.split(separator: "; ").last }
        #expect(advice == ["did you mean LIVERY_SOURCE?", "did you mean LIVERY_TOKEN?"])
    }

    @Test func variablesOfBothProgramsAndOfOthersAreAccepted() {
        var environment = Dictionary(uniqueKeysWithValues: LiveryVariable.allCases.map { ($0.name, "x") })
        let others = [
            "LIVERY_SERVICE_HOST": "10.0.0.1", "LIVERY_SERVICE_PORT": "3000", "LIVERY_SERVER_SERVICE_PORT_HTTP": "3000",
            "LIVERY_PORT": "tcp://10.0.0.1:3000", "LIVERY_PORT_3000_TCP": "tcp://10.0.0.1:3000",
            "LIVERY_SERVER_PORT_3000_TCP_ADDR": "10.0.0.1", "LIVERY_TESTS": "Files", "livery_x": "", "LIVERYX": "",
            "LIVERY_NAME": "/web/livery", "LIVERY_ENV_PATH": "/bin", "LIVERY_SOMETHING": "",
        ]
        environment.merge(others) { first, _ in first }
        #expect(LiveryVariable.problems(in: environment, ofServer: true).isEmpty)
    }

    @Test func anEmptyVariableIsNotSet() {
        #expect(LiveryVariable.source.value(in: ["LIVERY_SOURCE": ""]) == nil)
        #expect(LiveryVariable.source.value(in: ["LIVERY_SOURCE": "a.json"]) == "a.json")
        #expect(LiveryVariable.storePasswordFile.name == "LIVERY_STORE_PASSWORD_FILE")
    }
}
