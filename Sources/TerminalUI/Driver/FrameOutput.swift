/// The bytes and frames that wait for the terminal, as a pure state machine.
///
/// Frames are differences, so a frame that has started must be written whole before the next is encoded. Until then,
/// newer frames wait, and only the newest of them follows.
struct FrameOutput {
    private var pending: ArraySlice<UInt8> = []
    /// The newest frame that has not started.
    private(set) var waiting: Grid?

    /// Whether the next frame may start.
    var isIdle: Bool { pending.isEmpty }

    /// What has to be written next.
    var next: ArraySlice<UInt8> { pending }

    mutating func begin(_ bytes: [UInt8]) {
        pending += bytes
    }

    mutating func wrote(_ count: Int) {
        pending = pending.dropFirst(count)
    }

    /// Everything that waits, for the caller to write.
    mutating func takeAll() -> ArraySlice<UInt8> {
        defer { pending = [] }
        return pending
    }

    mutating func hold(_ frame: Grid) {
        waiting = frame
    }

    mutating func takeWaiting() -> Grid? {
        waiting.take()
    }
}
