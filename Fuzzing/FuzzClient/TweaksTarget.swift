// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Foundation
import FuzzKit

extension FuzzTarget {
    /// `tweaks.json`, through the store that reads and writes it, and the values in it as every type that tweaks have.
    ///
    /// Values are still there when the file is reopened, next to its earlier contents; a file that is not a JSON object is left
    /// unchanged and reported.
    static let tweaks = FuzzTarget("tweaks") { bytes in
        let path = folder + "/tweaks.json"
        defer { for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] { remove(name) } }
        require(FileManager.default.createFile(atPath: path, contents: Data(bytes)), "\(path) cannot be written")
        let store = FileStore(path: path)
        let value = reading { () throws(ConfigError) in try JSONValue(utf8: bytes) }
        guard case .object(let members)? = value.success else {
            return require(store.problem != nil && store.values.isEmpty, "\(store.values) of a damaged file")
        }
        require(store.problem == nil && store.values == members, "\(store.values) instead of \(members)")
        for member in members.values { requireSound(member) }
        let key = members.keys.min()?.string ?? "key"
        let change: [String: JSONValue?] = [key: .some(.string("changed")), "other": .some(value.success ?? .null)]
        require(reading { () throws(ConfigError) in try store.apply(change) }.success != nil, "nothing can be set")
        // An object stored under another key that nests too deep is no longer readable.
        let again = FileStore(path: path)
        require(again.values == store.values || again.problem != nil && store.problem == nil, "\(again.values)")
        if again.problem != nil { require(depth(of: value.success ?? .null) >= JSONValue.maximumDepth, "unreadable") }
    }

    /// The script removes it.
    private static let folder: String = {
        let folder = NSTemporaryDirectory() + "livery-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }()

    private static func remove(_ name: String) { unlink(folder + "/" + name) }

    private static func depth(of value: JSONValue) -> Int {
        switch value {
        case .array(let elements): 1 + (elements.map(depth).max() ?? 0)
        case .object(let members): 1 + (members.values.map(depth).max() ?? 0)
        default: 1
        }
    }

    private static func requireSound(_ value: JSONValue) {
        requireSame(value, as: Bool.self)
        requireSame(value, as: Int.self)
        requireSame(value, as: Double.self)
        requireSame(value, as: String.self)
        requireSame(value, as: RGBColor.self)
        requireSame(value, as: URL.self)
        requireSame(value, as: Date.self)
        requireSame(value, as: SemanticVersion.self)
        requireSame(value, as: Int?.self)
        requireSame(value, as: [String].self)
        requireSame(value, as: [RGBColor?].self)
    }

    /// A value of a type is the same after it was stored, and after it was edited and left as it was.
    private static func requireSame<Value: ConfigStorable>(_ json: JSONValue, as type: Value.Type) {
        let converter = Value.configConverter
        guard let value = try? converter.value(of: json) else {
            return require(converter.form.problem(with: json) != nil, "\(json) has no problem")
        }
        let stored = converter.json(of: value)
        // NaN is not equal to itself.
        if value != value { return }
        require((try? converter.value(of: stored)) == value, "\(value) becomes \(stored)")
        require((try? converter.value(ofText: converter.text(of: value))) == value, "\(value) as a text")
    }
}
