internal import CFileSystem

/// Which file systems change without the system's hearing of it: others write to them from elsewhere, or beneath them.
enum SilentFileSystem {
    /// The numbers of statfs(2) and `linux/magic.h`; `tail --follow` asks, instead of waiting, for much the same ones.
    private static let linuxNumbers: Set<UInt32> = [
        // Shared by several machines: NFS, SMB in three ages, 9p (also the folders of Windows under WSL), AFS twice,
        // Ceph, Coda, NetWare, GFS2, OCFS2, Lustre, GPFS, BeeGFS, PanFS, OrangeFS, SNFS, ACFS.
        0x6969, 0x517B, 0xFE53_4D42, 0xFF53_4D42, 0x0102_1997, 0x5346_414F, 0x6B41_4653,
        0x00C3_6400, 0x7375_7245, 0x564C, 0x0116_1970, 0x7461_636F, 0x0BD0_0BD0, 0x4750_4653, 0x1983_0326,
        0xAAD7_AAEA, 0x2003_0528, 0xBEEF_DEAD, 0x6163_6673,
        // Shared with the host of a virtual machine: VirtualBox, VMware, Parallels.
        0x786F_4256, 0xBACB_ACBC, 0x7C7C_6673,
        // A program's own (FUSE, virtiofs), with whatever stands behind it.
        0x6573_5546,
        // Layers over other folders: overlay, aufs, eCryptfs. What is written to a lower folder is not told.
        0x794C_7630, 0x6175_6673, 0xF15F,
        // The kernel's own: proc, sysfs, cgroup.
        0x9FA0, 0x6265_6572, 0x0027_E0EB, 0x6367_7270,
    ]

    /// Whether a file system of Linux has to be asked.
    ///
    /// - Parameter number: the field `f_type` of `statfs`.
    static func contains(linuxNumber number: UInt32) -> Bool { linuxNumbers.contains(number) }

    /// Whether a path leads to a file system that has to be asked; `false` where it leads nowhere.
    static func contains(path: String) -> Bool {
        var status = statfs()
        guard statfs(path, &status) == 0 else { return false }
        #if os(Linux)
            return contains(linuxNumber: UInt32(truncatingIfNeeded: status.f_type))
        #else
            return status.f_flags & UInt32(MNT_LOCAL) == 0
        #endif
    }
}

extension WatchPlan {
    /// Whether something that matters lies where the system does not report every change: the file, or a folder that
    /// holds a name of the way to it.
    var isSilent: Bool {
        let folders = names.filter { !$0.value.isEmpty }.keys
        return (folders + (file.map { [$0] } ?? [])).contains { SilentFileSystem.contains(path: $0) }
    }
}
