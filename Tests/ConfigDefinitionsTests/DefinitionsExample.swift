// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Configuration

let color = ConfigDefinition("app.background.color", default: RGBColor(rgb24: 0))
    .remote("app.background.color")
    .when(.language("es"), return: RGBColor(rgb24: 0xFFC400))
    .tweak(category: "Look", section: "Screen", name: "Background")

func follow(_ reader: ConfigReader) async {
    let tweaks = TweakRepository(store: FileStore(path: "/var/lib/app/tweaks.json"))
    let config = ConfigRepository(sources: ConfigSources(remote: ReaderSource(reader), tweaks: tweaks))
    config.add(color)
    print(config.explain(color))
    for await color in config.values(of: color) { print(color) }
}
