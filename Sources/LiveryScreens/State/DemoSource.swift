// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import RemoteConfig

/// The values of the demo without a configuration, whose colour changes by itself.
package struct DemoSource: ConfigSource {
    /// The name of the source, as on the command line.
    package static let word = "demo:"

    package let name = DemoSource.word
    package let delivery: SourceDelivery
    private let seconds: Int64

    private static let colors = ["#FFB6C1", "#87CEFA", "#98FB98", "#FFE4B5", "#1E1E2E", "#4B0082"]

    /// - Parameter seconds: the time for which a colour stays.
    package init(seconds: Int64 = 4) { (self.seconds, delivery) = (seconds, .polled(every: .seconds(seconds))) }

    package func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        let turn = Timestamp.now.milliseconds / (seconds * 1000)
        let color = Self.colors[Int(turn % Int64(Self.colors.count))]
        return SourceReading(
            .document(
                try ConfigDocument(
                    values: [
                        "app.background.color": .string(color), "app.fun_button.text": "Livery",
                        "app.fun_button.url": "https://example.org",
                    ]
                )
            )
        )
    }
}
