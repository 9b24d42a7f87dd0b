// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigClient
import Files
import Programs

struct LogoutCommand: LiveryCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Remove the token for a server.",
        usage: "livery logout [<options>]"
    )

    @OptionGroup var address: AddressOption

    func execute() async throws {
        let environment = Program.environment
        let address = try address.server(environment: environment)
        let wasStored = try CredentialFile(environment: environment).store(nil, for: address.text)
        let what = wasStored ? "Removed the token for" : "No stored token for"
        Output.error.writeLine("\(what) \(address.text).")
    }
}
