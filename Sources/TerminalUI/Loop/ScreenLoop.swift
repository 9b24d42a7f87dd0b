/// Runs a ``ScreenModel`` on a terminal: takes messages, carries out effects, shows frames.
///
/// Messages that arrive together make one frame, and frames follow each other by at least ``frameInterval``, so a
/// burst of changes costs no more than a few frames and always ends on the last one. Without messages nothing runs.
@MainActor
public final class ScreenLoop<Model: ScreenModel> {
    /// The program's state now.
    public private(set) var model: Model

    private let driver: any TerminalDriver
    private let perform: @MainActor (Model.Effect, ScreenLoop<Model>) -> Void
    private var mailbox: [Model.Message] = []
    private var waiter: CheckedContinuation<Void, Never>?
    private var hasEnded = false
    private var lastFrame: ContinuousClock.Instant?

    /// The least time between two frames: 8 ms, more than 120 a second, which no screen shows.
    public static var frameInterval: Duration { .milliseconds(8) }

    /// - Parameters:
    ///   - model: the state to begin with.
    ///   - driver: the terminal, which has been started.
    ///   - perform: carries out an effect; it may post messages to the loop, or end it.
    public init(
        model: Model,
        driver: any TerminalDriver,
        perform: @escaping @MainActor (Model.Effect, ScreenLoop<Model>) -> Void
    ) {
        self.model = model
        self.driver = driver
        self.perform = perform
    }

    /// Hands the program a message. It is taken in soon, after those posted before it.
    public func post(_ message: Model.Message) {
        mailbox.append(message)
        waiter.take()?.resume()
    }

    /// Ends ``run()`` without another frame.
    public func end() {
        hasEnded = true
        waiter.take()?.resume()
    }

    /// Shows the first frame and goes on until ``end()``.
    ///
    /// - Parameter patience: how long the first frame may wait for a first message, which often makes it another.
    public func run(firstFrameWithin patience: Duration = .zero) async {
        let firstFrame = Task {
            try await Task.sleep(for: patience)
            waiter.take()?.resume()
        }
        await waitForMessage()
        firstFrame.cancel()
        takeMessages()
        while !hasEnded {
            driver.present(model.view())
            lastFrame = .now
            await waitForMessage()
            takeMessages()
            await waitForNextFrame()
            takeMessages()
        }
    }

    private func takeMessages() {
        while !mailbox.isEmpty, !hasEnded {
            let messages = mailbox
            mailbox = []
            for effect in messages.flatMap({ model.update($0) }) { perform(effect, self) }
        }
    }

    private func waitForMessage() async {
        guard mailbox.isEmpty, !hasEnded else { return }
        await withCheckedContinuation { waiter = $0 }
    }

    private func waitForNextFrame() async {
        guard let lastFrame, !hasEnded else { return }
        let due = lastFrame + Self.frameInterval
        if due > .now { try? await Task.sleep(until: due) }
    }
}
