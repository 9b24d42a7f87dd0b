// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// A full-screen program as values: a model, its updates and its view.
///
/// Both functions are pure. An event, such as a key or a new configuration, is a message; work in the world, such as
/// opening a URL, is an effect, which the loop's owner carries out.
public protocol ScreenModel {
    /// The program's events.
    associatedtype Message
    /// The program's effects.
    associatedtype Effect

    /// Updates the model after an event, and returns the effects, in order.
    mutating func update(_ message: Message) -> [Effect]

    /// The screen for the current state.
    func view() -> Grid

    /// The timer that the model waits for besides events, such as the end of a message.
    var timer: ScreenTimer? { get }

    /// Updates the model when the time of its ``timer-swift.property`` is up.
    ///
    /// - Parameter isBehind: whether the terminal has not accepted the last frame yet.
    mutating func timerFired(isBehind: Bool)
}

extension ScreenModel {
    /// No timer.
    public var timer: ScreenTimer? { nil }

    /// Does nothing.
    public mutating func timerFired(isBehind: Bool) {}
}

/// A time that a model waits for, once.
public struct ScreenTimer: Hashable, Sendable {
    /// Identifies the timer: a timer with another number starts again.
    public var number: Int
    /// The time from the update in which the timer appears.
    public var delay: Duration

    /// Creates a timer.
    public init(number: Int, delay: Duration) {
        (self.number, self.delay) = (number, delay)
    }
}

/// Runs a ``ScreenModel`` on a terminal: delivers messages, carries out effects, shows frames.
///
/// Messages that arrive together make one frame, and frames follow each other by at least ``frameInterval``, so a
/// burst of changes costs no more than a few frames and always ends on the last one. Input keeps this distance only from the
/// frames of other input, since a person waits for it. Without messages nothing runs.
@MainActor
public final class ScreenLoop<Model: ScreenModel> {
    /// The program's state now.
    public private(set) var model: Model

    private let driver: any TerminalDriver
    private let perform: @MainActor (Model.Effect, ScreenLoop<Model>) -> Void
    private let read: (@MainActor () -> Model.Message)?
    private var mailbox: [Model.Message] = []
    private var isOutdated = false
    private var onEnd: CheckedContinuation<Void, Never>?
    /// Whether ``end()`` was called.
    public private(set) var hasEnded = false
    private var frames = Frames()
    private lazy var alarm = ScreenAlarm { [weak self] in self?.scheduleFrame() }
    /// The tasks that wait for the end of the start; `nil` after it.
    private var waitingForStart: [CheckedContinuation<Void, Never>]? = []

    private struct Frames {
        /// Before this moment no frame is shown.
        var next = ContinuousClock.Instant.now
        /// The same for a frame that input causes.
        var nextForInput = ContinuousClock.Instant.now
        /// The moment of the next frame; `nil` if none is needed.
        var scheduled: ContinuousClock.Instant?
        /// Whether input has caused the scheduled frame.
        var isForInput = false
        var haveBegun = false
    }

    /// The minimum time between two frames: 8 ms, more than 120 a second, which no screen shows.
    public static var frameInterval: Duration { .milliseconds(8) }

    /// Prepares a loop over a terminal that has been started.
    ///
    /// - Parameters:
    ///   - model: the initial model.
    ///   - driver: the terminal.
    ///   - read: reads the changes after ``invalidate()``.
    ///   - perform: carries out an effect; it may post messages to the loop, or end it.
    public init(
        model: Model,
        driver: any TerminalDriver,
        read: (@MainActor () -> Model.Message)? = nil,
        perform: @escaping @MainActor (Model.Effect, ScreenLoop<Model>) -> Void
    ) {
        self.model = model
        self.driver = driver
        self.read = read
        self.perform = perform
    }

    /// Posts a message. It is delivered soon, after those posted before it; what an effect posts while it is carried
    /// out, right after the message that led to the effect.
    ///
    /// - Parameter isInput: whether a person waits for the effect.
    public func post(_ message: Model.Message, isInput: Bool = false) {
        mailbox.append(message)
        scheduleFrame(isInput: isInput)
    }

    /// Announces a change of the model's state. The state is read once before the next frame, however often this is called.
    public func invalidate() {
        isOutdated = true
        scheduleFrame()
    }

    /// Ends ``run(firstFrameWithin:)`` without another frame, message or effect.
    public func end() {
        hasEnded = true
        onEnd.take()?.resume()
        endStart()
        alarm.cancel()
    }

    /// Waits until the first frame has been on the screen for a tenth of a second, or the loop has ended: for work that
    /// the first frame does without, so that it does not have to wait for it.
    ///
    /// - Returns: whether the loop still runs.
    package func hasStarted() async -> Bool {
        await withCheckedContinuation { continuation in
            if waitingForStart == nil { continuation.resume() } else { waitingForStart?.append(continuation) }
        }
        return !hasEnded
    }

    private func endStart() {
        for continuation in waitingForStart.take() ?? [] { continuation.resume() }
    }

    /// Shows the first frame and runs until ``end()``.
    ///
    /// - Parameter patience: how long the first frame waits for a first message, which often makes it another.
    public func run(firstFrameWithin patience: Duration = .zero) async {
        if mailbox.isEmpty, !isOutdated {
            wait(patience) { if !$0.frames.haveBegun { $0.showFrame() } }
        }
        await withCheckedContinuation { continuation in
            if hasEnded { continuation.resume() } else { onEnd = continuation }
        }
    }

    private func scheduleFrame(isInput: Bool = false) {
        if isInput { frames.isForInput = true }
        let moment = isInput ? frames.nextForInput : frames.next
        if let scheduled = frames.scheduled, scheduled <= moment { return }
        frames.scheduled = moment
        // An earlier frame may have shown it already.
        wait(max(moment - .now, .zero)) { if $0.frames.scheduled == moment { $0.showFrame() } }
    }

    // Plain timers of the main queue, not tasks: a task that goes to sleep on the main actor wakes up elsewhere first.
    private func wait(_ delay: Duration, then body: @escaping @MainActor (ScreenLoop) -> Void) {
        let nanoseconds = Int(delay / .nanoseconds(1))
        DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
            MainActor.assumeIsolated {
                if let self { body(self) }
            }
        }
    }

    private func showFrame() {
        deliverMessages()
        let isForInput = frames.isForInput
        (frames.scheduled, frames.isForInput) = (nil, false)
        guard !hasEnded else { return }
        alarm.set(model.timer)
        driver.present(model.view())
        frames.next = .now + Self.frameInterval
        if isForInput { frames.nextForInput = frames.next }
        if !frames.haveBegun { wait(.milliseconds(100)) { $0.endStart() } }
        frames.haveBegun = true
    }

    private func deliverMessages() {
        if alarm.takeTime() { model.timerFired(isBehind: driver.isBehind) }
        while isOutdated || !mailbox.isEmpty, !hasEnded {
            let messages = mailbox
            mailbox = []
            for message in messages where !hasEnded { deliver(message) }
            // Read after what these have led to, so that no reading is out of date when it is delivered.
            guard isOutdated, !hasEnded else { continue }
            isOutdated = false
            if let read { deliver(read()) }
        }
    }

    /// Delivers a message, then the posts of its effects: messages that arrived together with it apply to the new
    /// state.
    private func deliver(_ message: Model.Message) {
        for effect in model.update(message) where !hasEnded { perform(effect, self) }
        let answers = mailbox
        mailbox = []
        for answer in answers where !hasEnded { deliver(answer) }
    }
}
