// SPDX-License-Identifier: Apache-2.0

public import Essentials
internal import Observing

/// A span of time, with its start and without its end.
package struct DateWindow: Hashable, Sendable {
    /// The start of the window; `nil` if it has none.
    package var start: Date?
    /// The end of the window, exclusive; `nil` if it has none.
    package var end: Date?

    /// Creates a window.
    package init(from start: Date? = nil, until end: Date? = nil) {
        self.start = start
        self.end = end
    }

    /// Whether a moment is in the window.
    package func contains(_ moment: Date) -> Bool {
        start.map { $0 <= moment } ?? true && end.map { moment < $0 } ?? true
    }

    /// The time after `moment` at which the window next opens or closes; `nil` if there is none.
    package func nextChange(after moment: Date) -> Date? {
        if let start, let end, end <= start { return nil }
        return [start, end].compactMap(\.self).first { $0 > moment }
    }
}

extension ConfigCondition {
    /// True from one time until another, by the clock of the surroundings.
    public static func date(from start: Date? = nil, until end: Date? = nil) -> ConfigCondition {
        date(in: DateWindow(from: start, until: end))
    }

    /// True during a window of time.
    package static func date(in window: DateWindow) -> ConfigCondition {
        ConfigCondition(name(of: window)) {
            window.contains($0.clock.now)
        } changes: { surroundings in
            [ChangeSignal { wait(for: window, surroundings.clock, $0) }]
        }
    }

    private static func name(of window: DateWindow) -> String {
        let parts = [
            window.start.map { "from " + ValueDescription.text(of: $0) },
            window.end.map { "until " + ValueDescription.text(of: $0) },
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }

    private static func wait(
        for window: DateWindow,
        _ clock: any WallClock,
        _ didChange: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        // Computed before the task starts, so that a boundary is not missed if it passes before then.
        let first = window.nextChange(after: clock.now)
        let task = Task {
            var next = first
            while let moment = next {
                try await clock.sleep(until: moment)
                didChange()
                next = window.nextChange(after: max(moment, clock.now))
            }
        }
        return { task.cancel() }
    }
}
