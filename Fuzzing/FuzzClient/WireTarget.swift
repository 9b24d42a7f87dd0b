// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import FuzzKit

extension FuzzTarget {
    /// Messages between servers and clients. The first byte selects the message.
    ///
    /// A message that is read is the same after it was written and read again.
    static let wire = FuzzTarget("wire") { bytes in
        var input = FuzzInput(bytes)
        let choice = input.byte()
        let json = Array(input.rest)
        switch choice % 12 {
        case 0: again(json, \.json) { json throws(ConfigError) in try ConfigAnswer(json: json) }
        case 1: again(json, \.json) { json throws(ConfigError) in try EntryMessage(json: json) }
        case 2: entries(json)
        case 3: again(json, \.json) { json throws(ConfigError) in try HistoryMessage(json: json) }
        case 4: again(json, \.json) { json throws(ConfigError) in try ProblemDetails(json: json) }
        case 5: again(json, \.json) { json throws(ConfigError) in try PublishReceipt(json: json) }
        case 6: again(json, \.json) { json throws(ConfigError) in try PublishRequest(json: json) }
        case 7: again(json, \.json) { json throws(ConfigError) in try ServerInfo(json: json) }
        case 8: again(json, \.json) { json throws(ConfigError) in try EntryRequest(json: json) }
        case 9: again(json, \.json) { json throws(ConfigError) in try RollbackRequest(json: json) }
        case 10: event("change", json)
        default: event("hello", json)
        }
    }

    private static func again<Message: Equatable>(
        _ json: [UInt8],
        _ write: (Message) -> [UInt8],
        read: ([UInt8]) throws(ConfigError) -> Message
    ) {
        guard let message = try? read(json) else { return }
        let again = reading { () throws(ConfigError) in try read(write(message)) }
        require(again.success == message, "\(message) is read again as \(again)")
    }

    private static func entries(_ json: [UInt8]) {
        let cursor = RevisionCursor(epoch: Epoch(rawValue: 1), revision: 1)
        again(json) { (entries: [EntryMessage]) in
            EntryList(.value, entries, at: cursor).json
        } read: { json throws(ConfigError) in
            try EntryList(json: json).entries
        }
    }

    private static func event(_ name: String, _ json: [UInt8]) {
        again(json) { (event: StreamEvent?) in
            event?.json ?? []
        } read: { json throws(ConfigError) in
            try StreamEvent(name: name, data: json)
        }
    }
}
