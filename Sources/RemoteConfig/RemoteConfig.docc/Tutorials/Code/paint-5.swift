// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig

let defaults = try ConfigDocument(values: [
    "app.background.color": "#000000",
    "app.fun_button.text": "Dogs are awesome!",
])
let service = RemoteConfigService(source: FileSource(path: "config.json"), bundledDefault: defaults)
let following = Task { await service.run() }
try await service.waitUntilReady(timeout: .seconds(2))

for await current in service.state.observe() {
    let color = try current.value(forKey: "app.background.color", as: RGBColor.self)
    let text = try current.value(forKey: "app.fun_button.text", as: String.self)
    paint(color ?? RGBColor(0), text ?? "Dogs are awesome!", current.status.problem)
}

func paint(_ color: RGBColor, _ text: String, _ problem: ConfigError?) {
    // Sets the background, clears the screen in it, and goes to its corner.
    print("\u{1B}[48;2;\(color.red);\(color.green);\(color.blue)m\u{1B}[2J\u{1B}[H")
    print("  \(text)")
    if let problem { print("  \(problem)") }
}
