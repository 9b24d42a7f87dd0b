// SPDX-License-Identifier: Apache-2.0

internal import SystemPackage

/// The POSIX access control list of a file. With one, the group's bits of the mode are a mask, and not the rights of
/// the group.
struct AccessList {
    /// The kinds of entry beside the owner's and the others', by their numbers in Linux's `posix_acl_xattr.h`.
    private enum Tag: UInt16 {
        case user = 0x02
        case owningGroup = 0x04
        case group = 0x08
        case mask = 0x10
    }

    private var entries: [(tag: Tag, permissions: UInt16, id: UInt32)] = []

    /// The list of a file; `nil` if it has none, as on systems other than Linux, or its form is unknown.
    init?(path: String) {
        guard let attribute = System.attribute("system.posix_acl_access", of: FilePath(text: path)) else { return nil }
        self.init(attribute: attribute)
    }

    /// Reads the attribute: a version in four bytes, then eight bytes for each entry, all little-endian.
    init?(attribute: [UInt8]) {
        func number(at offset: Int, _ count: Int) -> UInt32 {
            attribute[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        guard attribute.count >= 4, attribute.count % 8 == 4, number(at: 0, 4) == 2 else { return nil }
        for offset in stride(from: 4, to: attribute.count, by: 8) {
            let kind = UInt16(number(at: offset, 2))
            // The mode has these as well.
            if [0x01, 0x20].contains(kind) { continue }
            guard let tag = Tag(rawValue: kind) else { return nil }
            entries.append((tag, UInt16(number(at: offset + 2, 2)), number(at: offset + 4, 4)))
        }
    }

    /// Whether it grants access to a named user.
    ///
    /// - Parameter users: the users that do not count.
    func admitsUser(otherThan users: [UInt32]) -> Bool {
        granted.contains { $0.tag == .user && !users.contains($0.id) }
    }

    /// Whether it grants access to a group.
    ///
    /// - Parameters:
    ///   - groups: the groups that do not count.
    ///   - owning: the group of the file.
    func admitsGroup(otherThan groups: [UInt32], owning: UInt32) -> Bool {
        granted.contains { entry in
            switch entry.tag {
            case .owningGroup: !groups.contains(owning)
            case .group: !groups.contains(entry.id)
            default: false
            }
        }
    }

    /// The entries of users and groups that have rights under the mask.
    private var granted: [(tag: Tag, permissions: UInt16, id: UInt32)] {
        let mask = entries.first { $0.tag == .mask }?.permissions ?? 0o7
        return entries.filter { [.user, .owningGroup, .group].contains($0.tag) && $0.permissions & mask & 0o7 != 0 }
    }
}
