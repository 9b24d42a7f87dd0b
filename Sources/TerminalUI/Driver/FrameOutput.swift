// SPDX-License-Identifier: Apache-2.0

/// The bytes and frames that wait for the terminal. Frames are differences, so one that has started must be written
/// whole before the next is encoded. Until then, only the newest frame waits.
struct FrameOutput {
    /// The bytes to write next.
    private(set) var next: ArraySlice<UInt8> = []
    /// The newest frame that has not started.
    private(set) var waiting: Grid?

    /// Whether the next frame may start.
    var isIdle: Bool { next.isEmpty }

    mutating func begin(_ bytes: [UInt8]) {
        next += bytes
    }

    mutating func wrote(_ count: Int) {
        next = next.dropFirst(count)
    }

    /// Removes all bytes, for the caller to write.
    mutating func drain() -> ArraySlice<UInt8> {
        defer { next = [] }
        return next
    }

    mutating func hold(_ frame: Grid) {
        waiting = frame
    }

    mutating func dequeue() -> Grid? {
        waiting.take()
    }
}
