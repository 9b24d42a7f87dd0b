// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import RemoteConfig
import RemoteConfigTesting
import TestSupport

/// A program and the sources of its configuration: files, HTTP servers, and a Livery server in memory.
final class SimulatedProgram {
    /// One source, or layers of sources.
    indirect enum Shape {
        case source(String)
        case layers([Shape])

        /// One source in four, else layers of up to three levels.
        static func random(using random: inout SeededGenerator) -> Shape {
            var sources = files.union(remote).sorted().shuffled(using: &random)
            return Int.random(in: 0..<4, using: &random) == 0
                ? .source(sources.removeLast()) : .layers(layers(of: &sources, depth: 1, using: &random))
        }

        private static func layers(
            of sources: inout [String],
            depth: Int,
            using random: inout SeededGenerator
        ) -> [Shape] {
            var layers: [Shape] = []
            for _ in 0..<Int.random(in: 1...4, using: &random) where !sources.isEmpty {
                let isNested = depth < 3 && Bool.random(using: &random)
                layers.append(
                    isNested
                        ? .layers(Self.layers(of: &sources, depth: depth + 1, using: &random))
                        : .source(sources.removeLast())
                )
            }
            if depth == 1, Bool.random(using: &random) { layers.append(.source("bundled")) }
            return layers
        }

        /// The sources, topmost first.
        var sources: [String] {
            switch self {
            case .source(let name): [name]
            case .layers(let layers): layers.flatMap(\.sources)
            }
        }
    }

    static let files: Set = ["file1.json", "file2.json"]
    static let remote: Set = ["document", "flags", "server"]

    let name: String
    let shape: Shape
    let views: PublishedViews
    let server = FakeServer()
    let cache: ConfigCache
    private let document: FlagHost
    private let flags: FlagHost
    private let clock: TestClock
    private let folder: TemporaryDirectory
    private let caches: TemporaryDirectory
    private var epochs: UInt64 = 1
    /// Whether two processes of the program run at the same time.
    let hasTwoProcesses: Bool
    /// The sources, topmost first.
    var sources: [String] { shape.sources }

    /// - Parameters:
    ///   - caches: The folder for the caches of all programs.
    ///   - elsewhere: The target of redirects.
    init(
        _ name: String,
        _ shape: Shape,
        caches: TemporaryDirectory,
        elsewhere: URL,
        clock: TestClock,
        disk: UnreliableDisk,
        hasTwoProcesses: Bool
    ) throws {
        let views = PublishedViews(of: name)
        (self.name, self.shape, self.views, self.clock) = (name, shape, views, clock)
        self.hasTwoProcesses = hasTwoProcesses
        (self.caches, folder) = (caches, try TemporaryDirectory())
        var cache = ConfigCache(app: name, version: "1", folder: caches["cache"])
        cache.disk = disk.disk
        self.cache = cache
        for source in Self.files.union(Self.remote).union(["bundled"]) { views.publish(source) }
        document = try FlagHost(redirectingTo: elsewhere) { _ in
            let revision = views.newest("document")
            return (Self.document(views.view(of: "document", at: revision), of: "document"), "\"\(revision)\"")
        }
        // The entity tag is the same for all users.
        flags = try FlagHost(redirectingTo: elsewhere) { user in
            let revision = views.newest("flags")
            return (Self.flags(views.view(of: "flags", at: revision)[user] ?? "none"), "\"\(revision)\"")
        }
        try writeFiles()
        serve()
    }

    /// Whether every change is reported as it happens.
    var isLive: Bool { Set(sources).isDisjoint(with: ["document", "flags"]) }

    /// Publishes a revision of a source; see ``PublishedViews/publish(_:for:isShared:)``.
    func publish(_ source: String, for users: [String]?, isShared: Bool, using random: inout SeededGenerator) throws {
        let view = views.publish(source, for: users, isShared: isShared)
        if source == "server" { return serve(silently: UInt8.random(in: 0..<4, using: &random) == 0) }
        guard Self.files.contains(source) else { return }
        let text = Self.document(view, of: source)
        try makeRoom(for: source)
        switch UInt8.random(in: 0..<3, using: &random) {
        case 0: try folder.overwrite(text, at: source)
        case 1: try folder.truncateAndWrite(text, to: source)
        default: try folder.replace(source, with: text)
        }
    }

    private func serve(silently: Bool = false) {
        let view = views.view(of: "server", at: views.newest("server"))
        server.publish(silently: silently) { $0 = Self.entries(view, of: "server") }
    }

    /// Removes a folder that is in the place of a file.
    private func makeRoom(for file: String) throws {
        if (try? folder.contents(of: file)) != nil { try folder.remove(file) }
    }

    private func writeFiles() throws {
        for file in Self.files {
            try makeRoom(for: file)
            try folder.replace(file, with: Self.document(views.view(of: file, at: views.newest(file)), of: file))
        }
    }

    /// Ends all failures.
    func heal() throws {
        for host in [document, flags] { host.fault = nil }
        server.fail { $0 = FakeServer.Faults() }
        server.send(server.head)
        try writeFiles()
    }

    func stop() {
        for host in [document, flags] { host.stop() }
    }
}

// Failures.
extension SimulatedProgram {
    /// Makes a file unusable.
    ///
    /// - Returns: The name of the failure, for the report of a failed course.
    func spoil(_ file: String, using random: inout SeededGenerator) throws -> String {
        try? folder.remove(file)
        switch UInt8.random(in: 0..<3, using: &random) {
        case 0: return "remove \(file)"
        case 1:
            try folder.overwrite("{", at: file)
            return "break \(file)"
        default:
            try folder.makeFolder(file)
            return "a folder in place of \(file)"
        }
    }

    /// Sets or ends a failure of a server.
    ///
    /// - Returns: The name of the failure, for the report of a failed course.
    func fail(_ source: String, using random: inout SeededGenerator) -> String {
        if source == "server" { return failServer(UInt8.random(in: 0..<10, using: &random)) }
        let host = source == "document" ? document : flags
        let isWell = UInt8.random(in: 0..<3, using: &random) == 0
        host.fault = isWell ? nil : FlagHost.Fault.allCases.randomElement(using: &random)
        return host.fault.map { "\($0)" } ?? "well"
    }

    private func failServer(_ way: UInt8) -> String {
        let errors = [ConfigError.Code.unreachable, .unavailable, .unauthorized].map { ConfigError($0, "test") }
        switch way {
        case 0:
            server.cut()
            return "cut"
        case 1:
            epochs += 1
            server.restore(epoch: epochs, server.values)
            return "restored"
        case 2: server.fail { $0.liesAboutDigests = true }
        case 3: server.fail { $0.onTheWay = { _ in [] } }
        case 4: server.fail { [snapshot = server.snapshot] in $0.cached = snapshot }
        case 5: server.fail { [clock] in $0.delay = { try? await clock.sleep(for: .seconds(2)) } }
        case 6, 7: server.fail { $0.reading = errors[Int(way) - 6] }
        case 8: server.fail { $0.opening = errors[2] }
        default: server.fail { $0 = FakeServer.Faults() }
        }
        return "\(way)"
    }
}

// The sources and their content.
extension SimulatedProgram {
    func makeSource() throws -> any ConfigSource { try source(of: shape) }

    private func source(of shape: Shape) throws -> any ConfigSource {
        switch shape {
        case .layers(let layers): LayeredSource(try layers.map(source))
        case .source("document"): DocumentSource(url: document.url)
        case .source("flags"): try OFREPSource(url: flags.url)
        case .source("server"): server
        case .source("bundled"): BundledSource(try bundled())
        case .source(let file): FileSource(path: folder[file])
        }
    }

    /// The bundled default.
    func bundled() throws -> ConfigDocument {
        let text = Self.document(views.view(of: "bundled", at: 0), of: "bundled")
        return try ConfigDocument(json: Array(text.utf8), source: "bundled")
    }

    /// The values of the bundled default, by user.
    var bundledTexts: [String: [String: String]] {
        views.view(of: "bundled", at: 0).mapValues { ["bundled": $0, PublishedViews.shared: $0] }
    }

    /// The newest entries of each source by the key of the source, except the entries that a server evaluates.
    var newestEntries: [String: EntryValue] {
        var newest: [String: EntryValue] = [:]
        for source in sources where source != "flags" {
            let entries = Self.entries(views.view(of: source, at: views.newest(source)), of: source)
            for kind in [EntryKind.value, .rule] { newest[kind.key(of: source)] = entries[kind.key(of: source)] }
        }
        return newest
    }

    /// Values and, unless all users have the same text, a rule that selects the text of the user.
    private static func entries(_ view: [String: String], of source: String) -> [String: EntryValue] {
        var entries: [String: EntryValue] = [:]
        for (key, view) in values(view, of: source) {
            entries[key] = view[""].map { .string($0) }
            if Set(view.values).count == 1 { continue }
            let variants = EntryObject(view.filter { $0.key != "" }.map { (key: $0.key, value: .string($0.value)) })
            entries[EntryKind.rule.key(of: key)] = [
                "variants": .object(variants), "targeting": ["var": "targetingKey"],
            ]
        }
        return entries
    }

    private static func values(_ view: [String: String], of source: String) -> [String: [String: String]] {
        view[""]?.hasSuffix("+") == true ? [source: view, PublishedViews.shared: view] : [source: view]
    }

    private static func document(_ view: [String: String], of source: String) -> String {
        var (values, rules) = ([String](), [String]())
        for (key, value) in entries(view, of: source) {
            let kind = EntryKind(of: key)
            let member = "\"\(kind.name(of: key) ?? key)\":\(value.canonicalJSON)"
            if kind == .rule { rules.append(member) } else { values.append(member) }
        }
        return #"{"livery":1,"entries":{\#(values.joined(separator: ","))},"rules":{\#(rules.joined(separator: ","))}}"#
    }

    private static func flags(_ text: String) -> String {
        let keys = text.hasSuffix("+") ? ["flags", PublishedViews.shared] : ["flags"]
        return #"{"flags":[\#(keys.map { #"{"key":"\#($0)","value":"\#(text)"}"# }.joined(separator: ","))]}"#
    }
}
