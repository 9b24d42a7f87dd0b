// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import Observation
import RemoteConfig

struct Train: Codable {
    var time: String
    var destination: String
}

struct Board: Codable {
    var title = "Departures"
    var color: RGBColor = "#FFB6C1"
    var trains: [Train] = []
}

func text(in state: ConfigState) -> String {
    @RemoteValue("board", in: state) var board = Board()
    let trains = board.trains.map { "\($0.time)  \($0.destination)" }
    let problems = state.problems.map { "✖ \($0)" }
    return (["\(board.title) \(board.color)"] + trains + problems).joined(separator: "\n")
}

/// Draws the board now and after each change. The first layer that has a member of the board applies; then come the values above.
/// A member of another type counts as missing in its layer, and its error is drawn below the trains.
@MainActor
func follow(_ layers: [any ConfigSource], draw: (String) -> Void) async throws {
    let defaults = try ConfigDocument(encoding: ["board": Board()])
    let service = RemoteConfigService(source: LayeredSource(layers), bundledDefault: defaults)
    async let _ = service.run()
    for await text in Observations({ text(in: service.state) }) { draw(text) }
}

guard CommandLine.arguments.count == 3 else { print("usage: departures OVERRIDE.json SERVER"); exit(64) }
let server = try SourceLocator(CommandLine.arguments[2]).source()
try await follow([FileSource(path: CommandLine.arguments[1]), server]) { print($0) }
