// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Essentials

/// An absolute `http` or `https` URL. Nothing else is ever handed to a browser.
///
/// A user name or a password in it is refused, as `https://bank.example@evil.example` leads elsewhere than it seems
/// (RFC 3986, section 7.6), and so is a host with percent-encoding, which browsers read differently.
struct WebAddress: Hashable, Sendable, LosslessStringConvertible {
    /// The URL's text, percent-encoded, free of spaces and control characters.
    let text: String
    var description: String { text }

    init?(_ text: String) {
        guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }),
            let url = URL(string: text, encodingInvalidCharacters: false),
            let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(percentEncoded: true), !host.isEmpty, !host.contains("%"),
            url.user() == nil, url.password() == nil
        else { return nil }
        self.text = text
    }

    private init(known text: String) { self.text = text }

    static let dogsAreAwesome = WebAddress(known: "https://www.google.com/search?query=dogs%20are%20awesome")
}

extension WebAddress: ConfigStorable, CodedScalar {
    static var configTypeName: String { "URL such as https://example.org" }

    // The schema cannot say all that `init(_:)` checks, and is not stricter.
    static var configSchema: EntryValue { ["type": "string", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$"] }
}
