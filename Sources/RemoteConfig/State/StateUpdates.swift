/// A part of a state as it is now, and then each different one that follows it.
///
/// Nothing is kept for a slow reader: it is told that there is something new, and takes what is current when it comes
/// to it. So it may skip, and never ends on an old state. Each iterator is an observer of the state until it ends.
struct StateUpdates<Part: Equatable & Sendable, Element: Sendable>: AsyncSequence, Sendable {
    typealias Failure = Never

    private let state: ConfigState
    private let part: @Sendable (ConfigState.Current) -> Part
    private let element: @Sendable (ConfigState.Current, Part) -> Element

    /// Creates a sequence; the state is observed from the first iterator on.
    ///
    /// - Parameters:
    ///   - state: what is observed.
    ///   - part: what has to be different for another element.
    ///   - element: makes the element of a state and its part.
    init(
        of state: ConfigState,
        part: @escaping @Sendable (ConfigState.Current) -> Part,
        element: @escaping @Sendable (ConfigState.Current, Part) -> Element
    ) {
        self.state = state
        self.part = part
        self.element = element
    }

    func makeAsyncIterator() -> Iterator { Iterator(self) }

    struct Iterator: AsyncIteratorProtocol {
        private let updates: StateUpdates
        private var signals: AsyncStream<Void>.Iterator
        private var observation: ConfigObservation?
        private var last: Part?

        fileprivate init(_ updates: StateUpdates) {
            self.updates = updates
            let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            signals = stream.makeAsyncIterator()
            let part = updates.part
            observation = updates.state.observe { previous, next in
                if part(previous) != part(next) { continuation.yield() }
            }
            // The first element is there at once.
            continuation.yield()
        }

        mutating func next() async -> Element? { await next(isolation: #isolation) }

        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while !Task.isCancelled, await signals.next(isolation: actor) != nil {
                let current = updates.state.current
                let part = updates.part(current)
                if part == last { continue }
                last = part
                return updates.element(current, part)
            }
            observation = nil
            return nil
        }
    }
}
