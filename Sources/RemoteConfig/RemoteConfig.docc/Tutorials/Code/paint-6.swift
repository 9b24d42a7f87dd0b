// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import RemoteConfig

let defaults = try ConfigDocument(values: [
    "app.background.color": "#000000",
    "app.fun_button.text": "Dogs are awesome!",
])
let source = try SourceLocator(CommandLine.arguments.dropFirst().first ?? "config.json").source()
let cache = ConfigCache(app: "org.example.app", version: "1.0.0", environment: ProcessInfo.processInfo.environment)
let service = RemoteConfigService(source: source, cache: cache, bundledDefault: defaults)
let following = Task { await service.run() }
try await service.waitUntilReady(timeout: .seconds(2))

for await current in service.state.observe() {
    let color = current.value(forKey: "app.background.color", default: RGBColor(0))
    let text = current.value(forKey: "app.fun_button.text", default: "Dogs are awesome!")
    paint(color, text, current.problems.first)
}

func paint(_ color: RGBColor, _ text: String, _ problem: ConfigError?) {
    // Sets the background, clears the screen in it, and goes to its corner.
    print("\u{1B}[48;2;\(color.red);\(color.green);\(color.blue)m\u{1B}[2J\u{1B}[H")
    print("  \(text)")
    if let problem { print("  \(problem)") }
}
