// SPDX-License-Identifier: Apache-2.0

import Basics
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
        let whole = (reading { () throws(ConfigError) in try EntryValue(anyJSON: bytes) }).success
        guard store.problem == nil else {
            if case .object? = whole { require(false, "\(store.problem.debugDescription) of an object") }
            return require(store.values.isEmpty, "\(store.values) of a damaged file")
        }
        if case .object(let members)? = whole {
            let same = members.allSatisfy { store.values[ExactString($0.key)] == $0.value }
            require(same && members.count == store.values.count, "\(store.values) instead of \(members)")
        }
        for value in store.values.values { requireSound(value) }
        let key = store.values.keys.min()?.string ?? "key"
        for value in [EntryValue.string("changed"), nil] { requireKept(value, of: key, in: store, at: path) }
        // An object may be nested too deep under another key.
        requireKept(whole ?? .null, of: "other", in: store, at: path)
    }

    /// A change that is applied is there when the file is reopened; of one that is refused, nothing is.
    private static func requireKept(_ value: EntryValue?, of key: String, in store: FileStore, at path: String) {
        let before = store.values
        let result = reading { () throws(ConfigError) in try store.apply([(key, value)]) }
        if let value, result.success != nil { require(store.value(forKey: key) == value, "\(key) is not \(value)") }
        require(result.success != nil || store.values == before, "\(store.values) after \(result)")
        require(result.success != nil || key == "other", "\(result)")
        let again = FileStore(path: path)
        require(again.problem == nil && again.values == store.values, "\(again.values) instead of \(store.values)")
    }

    /// The script removes it.
    private static let folder: String = {
        let folder = NSTemporaryDirectory() + "livery-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }()

    private static func remove(_ name: String) { unlink(folder + "/" + name) }

    private static func requireSound(_ value: EntryValue) {
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
    private static func requireSame<Value: ConfigStorable>(_ json: EntryValue, as type: Value.Type) {
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
