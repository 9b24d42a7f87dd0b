// SPDX-License-Identifier: Apache-2.0

import ConfigClient
import ConfigModel
import Foundation
import HTTPTransport
import RemoteConfig

/// Tests that need a separate process: other environment variables, and another libcurl.
///
///     TransportProbe get URL [TOKEN]
///     TransportProbe options URL FOLDER PIN file|bytes
@main
struct TransportProbe {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3, let url = URL(string: arguments[2]) else { return }
        switch arguments[1] {
        case "get": await get(url, token: arguments.dropFirst(3).first)
        case "options" where arguments.count == 6: await read(url, arguments[3], arguments[4], arguments[5])
        default: break
        }
    }

    /// Reads a document with the certificates of a folder.
    private static func read(_ url: URL, _ folder: String, _ pin: String, _ form: String) async {
        do {
            let client = TransportOptions.PEM.file(folder + "/client-both.pem")
            let bytes = Array(try Data(contentsOf: URL(filePath: folder + "/client-both.pem")))
            let options = try TransportOptions(
                certificateAuthority: .file(folder + "/ca.pem"),
                pinnedPublicKeys: [pin],
                clientCertificate: form == "bytes" ? .bytes(bytes) : client
            )
            print(try await DocumentSource(url: url, options: options).read().document?.entries.count ?? 0)
        } catch let error as ConfigError {
            print(error.code.rawValue, error)
        } catch {
            print(error)
        }
    }

    private static func get(_ url: URL, token: String?) async {
        let transport = HTTPClient(allowInsecureHosts: ["config.example"])
        do throws(ConfigError) {
            var request = HTTPRequest(url: url)
            request.authorization = try token.map { text throws(ConfigError) in try BearerToken(text).authorization }
            let response = try await ConfigError.catching(awaiting: try await transport.response(to: request))
            print(response.head.status, String(decoding: response.body, as: UTF8.self))
        } catch {
            print(error.code.rawValue, error)
        }
    }
}
