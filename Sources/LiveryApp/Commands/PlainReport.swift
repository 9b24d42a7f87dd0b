import ConfigModel
import Foundation
import RemoteConfig
import TerminalUI

/// What the screen shows, as text for pipes, logs and scripts.
struct PlainReport {
    private let current: ConfigState.Current
    private let settings: DemoSettings

    /// Reads the source once.
    init(after sync: SyncService) async {
        await sync.refresh()
        self.init(sync.state.current)
    }

    init(_ current: ConfigState.Current) {
        self.current = current
        var settings = DemoSettings()
        settings.update(from: current.snapshot)
        self.settings = settings
    }

    func print(asJSON: Bool) throws {
        try StandardOutput.write(asJSON ? try json() : text(clock: .local))
    }

    private var problems: [ConfigError] {
        (current.status.problem.map { [$0] } ?? []) + settings.problems
    }

    private var state: String {
        (settings.problems.isEmpty ? current.status.phase : .error).rawValue
    }

    func text(clock: ClockFormat) -> String {
        var lines = [
            "state:       \(state)",
            "source:      \(current.status.source)",
            "background:  \(settings.background.value)",
            "button:      \(settings.buttonText.value)",
            "url:         \(settings.buttonURL.value.text)",
            "version:     \(settings.versionText)",
        ]
        if let modifiedAt = current.status.modifiedAt { lines.append("modified:    \(clock.dateAndClock(modifiedAt))") }
        lines += problems.map { "problem:     \($0)" }
        for (key, entry) in current.snapshot.entries.sorted(by: { $0.key < $1.key }) {
            lines.append("key:         \(key) = \(entry.value.canonicalJSON)")
        }
        return lines.map { $0.sanitized() + "\n" }.joined()
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    }

    private var document: Document {
        Document(
            state: state,
            source: current.status.source,
            modifiedAt: current.status.modifiedAt?.milliseconds,
            settings: [
                "app.background.color": settings.background.value.description,
                "app.fun_button.text": settings.buttonText.value,
                "app.fun_button.url": settings.buttonURL.value.text,
                "app.min_version": settings.minimumVersion.value.description,
            ],
            version: SemanticVersion.livery.description,
            isUpToDate: settings.versionGate.isUpToDate,
            problems: problems.map(\.description),
            keys: current.snapshot.entries.keys.sorted()
        )
    }

    private struct Document: Encodable {
        var state: String
        var source: String
        /// Milliseconds since 1970.
        var modifiedAt: Int64?
        var settings: [String: String]
        /// Of this program.
        var version: String
        var isUpToDate: Bool
        var problems: [String]
        var keys: [String]
    }
}
