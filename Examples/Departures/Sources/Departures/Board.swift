// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig

/// The board of a station.
struct Board: Codable {
    struct Train: Codable {
        var time: String
        var destination: String
    }

    var title = "Departures"
    var color = RGBColor(0xFFB6C1)
    var trains: [Train] = []

    /// A service over layers, the first of which that has a member of the board applies; then come the values above.
    static func service(_ layers: any ConfigSource...) throws -> RemoteConfigService {
        let defaults = try ConfigDocument(encoding: ["board": Board()])
        return RemoteConfigService(source: LayeredSource(layers), bundledDefault: defaults)
    }
}

/// The board as text.
struct Screen {
    @RemoteValue var board: Board

    /// - Parameter state: the configuration; that of the program if it is `nil`.
    init(of state: ConfigState? = nil) { _board = RemoteValue(wrappedValue: Board(), "board", in: state) }

    var text: String {
        let trains = board.trains.map { "\($0.time) \($0.destination)" }
        let problem = $board.problem.map { "! \($0)" }
        return (["\(board.title) \(board.color)"] + trains + [problem].compactMap(\.self)).joined(separator: "\n")
    }
}
