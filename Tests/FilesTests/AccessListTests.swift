// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import CFileSystem
    import Basics
    import Files
    import Foundation
    import TestSupport
    import Testing

    /// Secrets of a service with an access control list, as systemd makes them for `LoadCredential=`.
    struct AccessListTests {
        private static let stranger: UInt32 = 54_321

        @Test(
            arguments: [
                (0x02, geteuid(), nil), (0x02, stranger, "another user"),
                (0x08, getegid(), nil), (0x08, stranger, "a group that this user is not a member of"),
            ] as [(UInt16, UInt32, String?)]
        )
        func aListMayAdmitTheServiceOnly(tag: UInt16, id: UInt32, others: String?) throws {
            let folder = try TemporaryDirectory()
            try folder.write("secret", to: "f")
            let path = folder["f"]
            // Without the list, the group of the mode is one that a service is not in.
            if geteuid() == 0 { try #require(chown(path, 0, Self.stranger) == 0) }
            let named: [(UInt16, UInt16, UInt32)] = [(tag, 4, id)]
            let before = tag == 0x02 ? named : []
            let after = tag == 0x02 ? [] : named
            let first: [(UInt16, UInt16, UInt32)] = [(0x01, 6, .max)] + before
            let entries = first + [(0x04, 0, .max)] + after + [(0x10, 4, .max), (0x20, 0, .max)]
            var list: [UInt8] = [2, 0, 0, 0]
            for (tag, permissions, id) in entries {
                list += Self.bytes(tag) + Self.bytes(permissions) + Self.bytes(id)
            }
            try #require(setxattr(path, "system.posix_acl_access", list, list.count, 0) == 0)
            if let others {
                let error = #expect(throws: OperationFailure.self) { try PrivateFile.checkIsOfService(path, "the key") }
                #expect(error?.code == .insecure)
                #expect(error?.message.contains("accessible to \(others) by its access control list") == true)
                // The group of the mode is the mask of the list.
                try #require(chmod(path, 0o600) == 0)
            }
            try PrivateFile.checkIsOfService(path, "the key")
        }

        private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
    }
#endif
