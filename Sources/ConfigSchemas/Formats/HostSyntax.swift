// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// Names and addresses of hosts, and of mailboxes there.
enum HostSyntax {
    /// Labels of 1–63 letters, digits and inner hyphens, up to 253 characters.
    static func isHostname(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count <= 253
            && bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                    && label.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
            }
    }

    /// Four numbers of 0–255 without needless zeros, which some readers take for octal numbers.
    static func isIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy(\.isDigit)
                    && (part.count == 1 || part.first != UInt8(ascii: "0"))
                    && UInt8(String(decoding: part, as: UTF8.self)) != nil
            }
    }

    /// Eight groups of up to four digits; `::` once in place of one or more; an IPv4 address in place of the last two.
    static func isIPv6(_ bytes: ArraySlice<UInt8>) -> Bool {
        let colon = UInt8(ascii: ":")
        let gap = zip(bytes.indices, bytes.indices.dropFirst()).first { bytes[$0] == colon && bytes[$1] == colon }
        guard let gap else { return groupCount(bytes, mayHaveIPv4: true) == 8 }
        guard let before = groupCount(bytes[..<gap.0], mayHaveIPv4: false),
            let after = groupCount(bytes[(gap.1 + 1)...], mayHaveIPv4: true)
        else { return false }
        return before + after < 8
    }

    /// The number of groups, an IPv4 address counting as two; `nil` if a part is not a group.
    private static func groupCount(_ bytes: ArraySlice<UInt8>, mayHaveIPv4: Bool) -> Int? {
        if bytes.isEmpty { return 0 }
        var groups = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var count = groups.count
        if mayHaveIPv4, let last = groups.last, isIPv4(last) {
            groups.removeLast()
            count += 1
        }
        return groups.allSatisfy { (1...4).contains($0.count) && $0.allSatisfy(\.isHexDigit) } ? count : nil
    }

    /// `Mailbox`: a local part of up to 64 characters, `@`, and a host's name or its address in brackets.
    static func isMailbox(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
        let (local, host) = (bytes[..<at], bytes[(at + 1)...])
        guard (1...64).contains(local.count), isDotted(local) || isQuoted(local) else { return false }
        guard host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") else { return isHostname(host) }
        let address = host.dropFirst().dropLast()
        // Letters of a grammar are of either case (RFC 5234, section 2.3).
        let mark = String(decoding: address.prefix(5), as: UTF8.self).lowercased()
        return mark == "ipv6:" ? isIPv6(address.dropFirst(5)) : isIPv4(address)
    }

    private static func isDotted(_ local: ArraySlice<UInt8>) -> Bool {
        local.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty && atom.allSatisfy { $0.isLetter || $0.isDigit || $0.isOne(of: "!#$%&'*+-/=?^_`{|}~") }
        }
    }

    /// Printable ASCII in quotation marks, of which a quotation mark and a backslash have a backslash before them.
    private static func isQuoted(_ local: ArraySlice<UInt8>) -> Bool {
        guard local.count >= 2, local.first == UInt8(ascii: "\""), local.last == UInt8(ascii: "\"") else {
            return false
        }
        var isEscaped = false
        for byte in local.dropFirst().dropLast() {
            guard (0x20...0x7E).contains(byte), isEscaped || byte != UInt8(ascii: "\"") else { return false }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        }
        return !isEscaped
    }
}
