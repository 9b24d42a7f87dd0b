/// A part of a state as it is now, and then each different one that follows it.
///
/// Nothing is kept for a slow reader: it is told that there is something new, and takes what is current when it comes
/// to it. So it may skip, and never ends on an old state. Each iterator is an observer of the state until it ends.
struct ObservedUpdates<State: Sendable, Part: Equatable & Sendable, Element: Sendable>: AsyncSequence, Sendable {
    typealias Failure = Never

    private let observed: Observed<State>
    private let part: @Sendable (State) -> Part
    private let element: @Sendable (State, Part) -> Element

    /// Creates a sequence; the state is observed from the first iterator on.
    ///
    /// - Parameters:
    ///   - observed: holds the states.
    ///   - part: what has to be different for another element.
    ///   - element: makes the element of a state and its part.
    init(
        of observed: Observed<State>,
        part: @escaping @Sendable (State) -> Part,
        element: @escaping @Sendable (State, Part) -> Element
    ) {
        self.observed = observed
        self.part = part
        self.element = element
    }

    func makeAsyncIterator() -> Iterator { Iterator(self) }

    struct Iterator: AsyncIteratorProtocol {
        private let updates: ObservedUpdates
        private var signals: AsyncStream<Void>.Iterator
        private var observation: Observed<State>.Observation?
        private var last: Part?

        fileprivate init(_ updates: ObservedUpdates) {
            self.updates = updates
            let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            signals = stream.makeAsyncIterator()
            let part = updates.part
            observation = updates.observed.observe { previous, next in
                if part(previous) != part(next) { continuation.yield() }
            }
            // The first element is there at once.
            continuation.yield()
        }

        mutating func next() async -> Element? { await next(isolation: #isolation) }

        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while !Task.isCancelled, await signals.next(isolation: actor) != nil {
                let current = updates.observed.state
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
