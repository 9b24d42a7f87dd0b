// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import TestSupport

/// A document for livery to follow, in a separate folder, in which only the colour changes.
struct ConfigFile: Sendable {
    /// The way in which a program replaces the content of a file.
    enum Replacement: String, CaseIterable {
        /// Cut to nothing, then written: what `echo … > file` does. A reader may find it empty in between.
        case inPlace = "in place"
        /// Written beside it, then renamed over it: what most editors do.
        case rename = "atomic rename"
    }

    let folder: TemporaryDirectory
    let initialColor = RGBColor(red: 0xFF, green: 0xB6, blue: 0xC1)
    /// The members after the demo's own keys.
    private let otherMembers: String

    /// - Parameter otherKeys: how many keys there are that nothing on the screen comes from.
    init(otherKeys: Int = 0) throws {
        otherMembers = (0..<otherKeys).map { ",\n    \"other.key\($0)\": \"value \($0)\"" }.joined()
        folder = try TemporaryDirectory(prefix: "bench")
        try replace(with: initialColor, by: .rename)
    }

    var path: String { folder["config.json"] }

    /// Changes the colour, and returns the moment just before the file was touched.
    @discardableResult
    func replace(with color: RGBColor, by replacement: Replacement) throws -> ContinuousClock.Instant {
        let bytes = Array(text(color).utf8)
        let start = ContinuousClock.now
        switch replacement {
        case .inPlace:
            try write(bytes, to: path)
        case .rename:
            let temporary = folder["config.json.new"]
            try write(bytes, to: temporary)
            guard rename(temporary, path) == 0 else { throw SystemError(call: "rename", subject: path) }
        }
        return start
    }

    private func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemError(call: "open", subject: path) }
        defer { _ = close(file) }
        guard Foundation.write(file, bytes, bytes.count) == bytes.count else {
            throw SystemError(call: "write", subject: path)
        }
    }

    private func text(_ color: RGBColor) -> String {
        """
        {
            "app.background.color": "\(color)",
            "app.fun_button.text": "Meeeeoowwww! 😸",
            "app.fun_button.url": "https://www.google.com/search?query=funny%20cats",
            "app.min_version": "0.9.0"\(otherMembers)
        }

        """
    }
}
