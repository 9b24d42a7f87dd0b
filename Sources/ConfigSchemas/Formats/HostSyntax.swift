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
        var groups = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        // At its ends, `::` leaves one empty group more than in the middle.
        if groups.count > 2, groups[0].isEmpty, groups[1].isEmpty { groups.removeFirst() }
        if groups.count > 2, groups[groups.count - 1].isEmpty, groups[groups.count - 2].isEmpty { groups.removeLast() }
        var count = groups.count
        if let last = groups.last, last.contains(UInt8(ascii: ".")) {
            guard isIPv4(last) else { return false }
            groups.removeLast()
            count += 1
        }
        let gaps = groups.count(where: \.isEmpty)
        guard gaps == 0 ? count == 8 : gaps == 1 && count <= 8 else { return false }
        return count > 1 && groups.allSatisfy { $0.count <= 4 && $0.allSatisfy(\.isHexDigit) }
    }

    /// `Mailbox`: a local part of up to 64 characters, `@`, and a host's name or its address in brackets.
    static func isMailbox(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
        let (local, host) = (bytes[..<at], bytes[(at + 1)...])
        guard (1...64).contains(local.count), isDotted(local) || isQuoted(local) else { return false }
        guard host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") else { return isHostname(host) }
        let address = host.dropFirst().dropLast()
        let mark = Array("IPv6:".utf8)
        return address.starts(with: mark) ? isIPv6(address.dropFirst(mark.count)) : isIPv4(address)
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
