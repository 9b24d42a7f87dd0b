// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig

/// A café's menu, which its owner changes from the kitchen: changes wait until the guest at the board has gone.
struct Menu {
    let service: RemoteConfigService
    @RemoteValue var title: String
    @RemoteValue var color: RGBColor
    @RemoteValue var dishes: [String]
    @RemoteValue var hint: String?

    init(source: some ConfigSource, cache: ConfigCache? = nil) throws {
        let defaults = try ConfigDocument(values: ["menu": ["title": "Today", "dishes": ["Soup"]]])
        service = RemoteConfigService(source: source, cache: cache, bundledDefault: defaults, activation: .onDemand)
        _title = RemoteValue(wrappedValue: "Menu", "menu.title", in: service.state)
        _color = RemoteValue(wrappedValue: RGBColor(0xFFFFFF), "menu.color", in: service.state)
        _dishes = RemoteValue(wrappedValue: [], "menu.dishes", in: service.state)
        _hint = RemoteValue("menu.hint", in: service.state)
    }

    /// The lines on the board.
    var lines: [String] {
        let problem = service.state.current.status.problem.map { "(\($0.code.rawValue))" }
        return ["\(title) \(color)"] + dishes.map { "- " + $0 } + [hint, problem].compactMap(\.self)
    }

    /// Shows all changes at once.
    ///
    /// - Returns: the keys that have changed.
    func nextGuest() async -> [String] { await service.activate() }
}
