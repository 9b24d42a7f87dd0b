// SPDX-License-Identifier: Apache-2.0

import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Files

struct SilentFileSystemTests {
    @Test(
        arguments: [
            ("NFS", 0x6969), ("SMB", 0x517B), ("SMB2", 0xFE53_4D42), ("CIFS", 0xFF53_4D42), ("9p", 0x0102_1997),
            ("FUSE and virtiofs", 0x6573_5546), ("overlay", 0x794C_7630), ("aufs", 0x6175_6673), ("eCryptfs", 0xF15F),
            ("Ceph", 0x00C3_6400), ("AFS", 0x5346_414F), ("Lustre", 0x0BD0_0BD0), ("OCFS2", 0x7461_636F),
            ("VirtualBox", 0x786F_4256), ("VMware", 0xBACB_ACBC), ("proc", 0x9FA0), ("sysfs", 0x6265_6572),
        ] as [(String, UInt32)]
    )
    func sharedFileSystemsArePolled(name: String, number: UInt32) {
        #expect(SilentFileSystem.contains(linuxNumber: number))
    }

    @Test(
        arguments: [
            ("ext4", 0xEF53), ("XFS", 0x5846_5342), ("Btrfs", 0x9123_683E), ("tmpfs", 0x0102_1994),
            ("ramfs", 0x8584_58F6),
            ("F2FS", 0xF2F5_2010), ("ZFS", 0x2FC1_2FC1), ("bcachefs", 0xCA45_1A4E), ("FAT", 0x4D44),
            ("NTFS3", 0x7366_746E),
            ("exFAT", 0x2011_BAB0), ("squashfs", 0x7371_7368), ("EROFS", 0xE0F5_E1E2), ("ISO 9660", 0x9660),
        ] as [(String, UInt32)]
    )
    func localFileSystemsAreNotPolled(name: String, number: UInt32) {
        #expect(!SilentFileSystem.contains(linuxNumber: number))
    }

    #if os(Linux)
        @Test func thePlaceOfTheFileDecides() throws {
            let folder = try TemporaryDirectory()
            try folder.overwrite("{}", at: "c.json")
            try folder.link("proc.json", to: "/proc/self/status")
            let quiet = SilentFileSystem.contains(path: FilePath(folder.path))
            #expect(WatchPlan(for: AbsolutePath(folder["c.json"])).isSilent == quiet)
            #expect(WatchPlan(for: AbsolutePath(folder["gone/c.json"])).isSilent == quiet)
            #expect(WatchPlan(for: AbsolutePath(folder["proc.json"])).isSilent)
            #expect(WatchPlan(for: AbsolutePath("/proc/gone/c.json")).isSilent)
            #expect(!SilentFileSystem.contains(path: FilePath(folder["gone"])))
        }
    #endif
}
