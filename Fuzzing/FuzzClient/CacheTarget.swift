// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import FuzzKit

@testable import RemoteConfig

extension FuzzTarget {
    /// Cache files. The first byte selects whether the input is a file or the payloads of its records, which get valid hashes.
    /// The second is where the file is cut.
    ///
    /// A state that is believed is the same after it was written and read again, and can be shown. A file that is cut off is
    /// no good, or good up to a record. Whether values keep the rules is not checked: only Livery can make the hashes.
    static let cache = FuzzTarget("cache") { bytes in
        var input = FuzzInput(bytes)
        let (isFile, cut) = (input.byte() >= 128, Int(input.byte()))
        let file = isFile ? Array(input.rest) : CacheBytes.file(with: &input)
        guard let log = try? CacheLog(file, source: "fuzz") else { return }
        requireSound(log, file)
        let part = Array(file.prefix(file.count * cut / 255))
        guard let early = try? CacheLog(part, source: "fuzz") else { return }
        require(early.length <= part.count && early.beginning == log.beginning, "\(early.length) of \(part.count)")
        let again = try? CacheLog(Array(file.prefix(early.length)), source: "fuzz")
        require(again?.length == early.length && again?.state.mark == early.state.mark, "\(early) without its tail")
        if cut == 255 { require(early.length == log.length, "\(early) is not \(log)") }
    }

    private static func requireSound(_ log: CacheLog, _ file: [UInt8]) {
        require(log.length <= file.count, "\(log.length) bytes are good of \(file.count)")
        for entry in log.state.entries.values {
            require(!entry.value.canonicalJSON.isEmpty && !entry.changedAt.description.isEmpty, "\(entry) has no text")
        }
        var written = CacheLog()
        let bytes = CacheLog.header + written.append(log.state, changedKeys: nil)
        guard let again = try? CacheLog(bytes, source: "fuzz") else {
            return require(false, "\(log.state) cannot be read again")
        }
        require(again.state == log.state, "\(log.state) becomes \(again.state)")
    }
}

/// The frame of a cache file, as ``CacheLog`` describes it.
private enum CacheBytes {
    /// A file whose records have the payloads that the input is made of: each as long as two bytes say.
    static func file(with input: inout FuzzInput) -> [UInt8] {
        var bytes = CacheLog.header
        var chain: [UInt8] = []
        while !input.rest.isEmpty {
            let payload = input.take(input.number(below: 4096))
            let length = (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> ($0 * 8)) }
            let head = length + hash(chain, length).prefix(8)
            chain = hash(chain, head, payload)
            bytes += head + chain + payload
        }
        return bytes
    }

    private static func hash(_ parts: [UInt8]...) -> [UInt8] {
        var hash = SHA256()
        for part in parts { hash.update(part) }
        return hash.finish()
    }
}
