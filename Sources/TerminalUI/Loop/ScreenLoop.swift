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

    /// The screen for the present state.
    func view() -> Grid
}

/// Runs a ``ScreenModel`` on a terminal: delivers messages, carries out effects, shows frames.
///
/// Messages that arrive together make one frame, and frames follow each other by at least ``frameInterval``, so a
/// burst of changes costs no more than a few frames and always ends on the last one. Without messages nothing runs.
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
    /// Before this moment no frame is shown.
    private var nextFrame = ContinuousClock.Instant.now
    private var isFrameScheduled = false
    private var hasShownFrame = false
    /// Those who wait for the end of the start; `nil` after it.
    private var waitingForStart: [CheckedContinuation<Void, Never>]? = []

    /// The least time between two frames: 8 ms, more than 120 a second, which no screen shows.
    public static var frameInterval: Duration { .milliseconds(8) }

    /// Prepares a loop over a terminal that has been started.
    ///
    /// - Parameters:
    ///   - read: reads what ``invalidate()`` says has changed.
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

    /// Posts a message. It is delivered soon, after those posted before it.
    public func post(_ message: Model.Message) {
        mailbox.append(message)
        scheduleFrame()
    }

    /// Says that what the model shows has changed. It is read once before the next frame, however often this is said.
    public func invalidate() {
        isOutdated = true
        scheduleFrame()
    }

    /// Ends ``run(firstFrameWithin:)`` without another frame, message or effect.
    public func end() {
        hasEnded = true
        onEnd.take()?.resume()
        endStart()
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

    /// Shows the first frame and goes on until ``end()``.
    ///
    /// - Parameter patience: how long the first frame waits for a first message, which often makes it another.
    public func run(firstFrameWithin patience: Duration = .zero) async {
        if mailbox.isEmpty, !isOutdated {
            wait(patience) { if !$0.hasShownFrame { $0.showFrame() } }
        }
        await withCheckedContinuation { continuation in
            if hasEnded { continuation.resume() } else { onEnd = continuation }
        }
    }

    private func scheduleFrame() {
        guard !isFrameScheduled else { return }
        isFrameScheduled = true
        wait(max(nextFrame - .now, .zero)) { $0.showFrame() }
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
        isFrameScheduled = false
        guard !hasEnded else { return }
        driver.present(model.view())
        nextFrame = .now + Self.frameInterval
        if !hasShownFrame { wait(.milliseconds(100)) { $0.endStart() } }
        hasShownFrame = true
    }

    private func deliverMessages() {
        while isOutdated || !mailbox.isEmpty, !hasEnded {
            if isOutdated, let read { mailbox.append(read()) }
            isOutdated = false
            let messages = mailbox
            mailbox = []
            for message in messages where !hasEnded {
                for effect in model.update(message) where !hasEnded { perform(effect, self) }
            }
        }
    }
}
