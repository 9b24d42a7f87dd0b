// SPDX-License-Identifier: Apache-2.0

internal import CFileSystem
internal import SystemPackage

/// The folders that must be watched so that every change of a path's target is noticed.
///
/// The path is walked as the kernel would walk it. Every folder of the path is watched for being moved or deleted itself; a
/// folder that contains a symbolic link of the path, the first missing component, or the file is also watched for events of
/// that name. Writes are observed at the file itself, so that other busy files in its folder cost nothing.
///
/// An empty folder can be deleted and recreated, and Linux hides that from the folder's own watch while the folder is in use.
/// So if a name is missing, the folder's parent is also watched for the folder's name.
struct WatchPlan: Equatable {
    /// The type of a path component.
    enum Component: Equatable {
        case link(to: FilePath)
        case folder
        case file
        case missing
    }

    /// The names that matter in each folder; none where only the folder's own fate does.
    private(set) var names: [FilePath: Set<FilePath.Component>] = [:]
    /// The names that are components of the path.
    private var components: [FilePath: Set<FilePath.Component>] = [:]
    /// The place of the file, after following all links; `nil` while it does not exist.
    private(set) var file: Place?
    /// The folder that the path leads to, if its contents matter.
    private(set) var folder: FilePath?

    /// A folder, and a name in it.
    struct Place: Equatable {
        let folder: FilePath
        let name: FilePath.Component

        var path: FilePath { folder.appending(name) }
    }

    /// The number of links that Linux follows before it reports a loop.
    private static let maximumLinks = 40

    /// - Parameters:
    ///   - hasContents: whether the path is that of a folder, of which everything matters.
    ///   - inspect: returns the type of an absolute path, without following a link there.
    init(for path: FilePath, hasContents: Bool = false, inspect: (FilePath) -> Component) {
        var remaining = Self.components(of: path)
        var folder: FilePath = "/"
        var links = 0
        while let name = remaining.popLast() {
            names[folder, default: []].formUnion([])
            if name.kind == .parentDirectory {
                folder.removeLastComponent()
                continue
            }
            let place = Place(folder: folder, name: name)
            switch inspect(place.path) {
            case .folder where !remaining.isEmpty:
                folder = place.path
            case .link(let target):
                watch(name, in: folder)
                links += 1
                guard links <= Self.maximumLinks else { return }
                if target.isAbsolute { folder = "/" }
                remaining += Self.components(of: target)
            case let component:
                watch(name, in: folder)
                if component == .file, remaining.isEmpty { file = place }
                if component == .folder, hasContents { watchContents(of: place.path) }
                if component == .missing { watchName(of: folder) }
                return
            }
        }
    }

    /// The part of the plan for the usual changes of a file; the rest is for changes of the parent folders.
    var nearby: WatchPlan {
        var plan = self
        plan.names = components
        return plan
    }

    private mutating func watch(_ name: FilePath.Component, in folder: FilePath) {
        names[folder, default: []].insert(name)
        components[folder, default: []].insert(name)
    }

    private mutating func watchContents(of path: FilePath) {
        folder = path
        names[path, default: []].formUnion([])
        components[path, default: []].formUnion([])
    }

    private mutating func watchName(of folder: FilePath) {
        guard let name = folder.lastComponent else { return }
        names[folder.removingLastComponent(), default: []].insert(name)
    }

    /// The components in reverse, so that the next one is the last.
    private static func components(of path: FilePath) -> [FilePath.Component] {
        path.components.filter { $0.kind != .currentDirectory }.reversed()
    }
}

extension WatchPlan {
    /// The plan for a path in the file system as it is now.
    init(for path: AbsolutePath, hasContents: Bool = false) {
        self.init(for: FilePath(text: path.text), hasContents: hasContents, inspect: Component.init(at:))
    }

    /// Whether the file, or a folder that contains a name of the path to it, is on a file system that does not report every
    /// change.
    var isSilent: Bool {
        let folders = names.filter { !$0.value.isEmpty }.keys
        return (folders + [file?.path, folder].compactMap(\.self)).contains { SilentFileSystem.contains(path: $0) }
    }
}

extension WatchPlan.Component {
    /// The type of a path, without following a link there. Inaccessible paths count as missing.
    init(at path: FilePath) {
        let type = (try? Stat(path, followTargetSymlink: false))?.type
        switch type {
        case nil: self = .missing
        case FileType.directory: self = .folder
        case FileType.symbolicLink: self = System.target(ofLink: path).map(Self.link(to:)) ?? .missing
        default: self = .file
        }
    }
}

/// File systems that change without notifying the system: others write to them remotely, or to their underlying storage.
enum SilentFileSystem {
    /// The numbers of statfs(2) and `linux/magic.h`; `tail --follow` polls for much the same ones.
    private static let linuxNumbers: [UInt32] = [
        // Shared by several machines: NFS, SMB in three ages, 9p (also the folders of Windows under WSL), AFS twice,
        // Ceph, Coda, NetWare, GFS2, OCFS2, Lustre, GPFS, BeeGFS, PanFS, OrangeFS, SNFS, ACFS.
        0x6969, 0x517B, 0xFE53_4D42, 0xFF53_4D42, 0x0102_1997, 0x5346_414F, 0x6B41_4653,
        0x00C3_6400, 0x7375_7245, 0x564C, 0x0116_1970, 0x7461_636F, 0x0BD0_0BD0, 0x4750_4653, 0x1983_0326,
        0xAAD7_AAEA, 0x2003_0528, 0xBEEF_DEAD, 0x6163_6673,
        // Shared with the host of a virtual machine: VirtualBox, VMware, Parallels.
        0x786F_4256, 0xBACB_ACBC, 0x7C7C_6673,
        // A program's file system (FUSE, virtiofs), with any storage.
        0x6573_5546,
        // Layers over other folders: overlay, aufs, eCryptfs. Writes to a lower folder are not reported.
        0x794C_7630, 0x6175_6673, 0xF15F,
        // The kernel's own: proc, sysfs, cgroup.
        0x9FA0, 0x6265_6572, 0x0027_E0EB, 0x6367_7270,
    ]

    /// - Parameter number: the field `f_type` of `statfs`.
    static func contains(linuxNumber number: UInt32) -> Bool { linuxNumbers.contains(number) }

    /// Whether a path leads to a file system that must be polled; `false` if it leads nowhere.
    static func contains(path: FilePath) -> Bool {
        var status = statfs()
        guard path.withPlatformString({ statfs($0, &status) }) == 0 else { return false }
        #if os(Linux)
            return contains(linuxNumber: UInt32(truncatingIfNeeded: status.f_type))
        #else
            return status.f_flags & UInt32(MNT_LOCAL) == 0
        #endif
    }
}
