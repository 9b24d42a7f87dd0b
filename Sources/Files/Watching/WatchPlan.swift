internal import SystemPackage

/// Which folders must be watched so that no change of what a path leads to goes unnoticed.
///
/// The path is walked as the kernel would. Every folder on the way is watched for being moved or deleted itself;
/// a folder that holds a symbolic link of the way, the first missing component, or the file is watched for what
/// happens to that name as well. What is written is seen at the file itself, so that a busy neighbour in its folder
/// costs nothing.
///
/// An empty folder can be deleted and made anew, and Linux keeps that from the folder's own watch for as long as
/// anyone works in it. So where a name is missing, the folder's parent is watched for the folder's name too.
struct WatchPlan: Equatable {
    /// What a component of the path is.
    enum Component: Equatable {
        case link(to: String)
        case folder
        case file
        case missing
    }

    /// The names that matter in each folder; none where only the folder's own fate does.
    private(set) var names: [String: Set<String>] = [:]
    /// Where the file is, once all links are followed; `nil` while none is there.
    private(set) var file: String?

    /// As many links as Linux follows before it says that there is a loop.
    private static let maximumLinks = 40

    /// - Parameters:
    ///   - path: an absolute path.
    ///   - inspect: says what stands at an absolute path, without following a link there.
    init(for path: String, inspect: (String) -> Component) {
        var remaining = Self.components(of: path)
        var folder = "/"
        var links = 0
        while let name = remaining.popLast() {
            names[folder, default: []].formUnion([])
            if name == ".." {
                folder = Self.parent(of: folder)
                continue
            }
            let place = folder == "/" ? "/" + name : folder + "/" + name
            switch inspect(place) {
            case .folder where !remaining.isEmpty:
                folder = place
            case .link(let target):
                names[folder, default: []].insert(name)
                links += 1
                guard links <= Self.maximumLinks else { return }
                if target.hasPrefix("/") { folder = "/" }
                remaining += Self.components(of: target)
            case let component:
                names[folder, default: []].insert(name)
                if component == .file, remaining.isEmpty { file = place }
                if component == .missing { watchName(of: folder) }
                return
            }
        }
    }

    private mutating func watchName(of folder: String) {
        guard let name = folder.split(separator: "/").last else { return }
        names[Self.parent(of: folder), default: []].insert(String(name))
    }

    /// The components in reverse, so that the next one is the last.
    private static func components(of path: String) -> [String] {
        path.split(separator: "/").map(String.init).filter { $0 != "." }.reversed()
    }

    private static func parent(of folder: String) -> String {
        let parent = folder.split(separator: "/").dropLast().joined(separator: "/")
        return "/" + parent
    }
}

extension WatchPlan {
    /// The plan for a path in the file system as it is now.
    init(for path: AbsolutePath) {
        self.init(for: path.text, inspect: Component.init(at:))
    }
}

extension WatchPlan.Component {
    /// What stands at a path, without following a link there. What may not be looked at counts as missing.
    fileprivate init(at path: String) {
        let type = (try? Stat(FilePath(path), followTargetSymlink: false))?.type
        switch type {
        case nil: self = .missing
        case FileType.directory: self = .folder
        case FileType.symbolicLink: self = System.target(ofLink: path).map(Self.link(to:)) ?? .missing
        default: self = .file
        }
    }
}
