internal import ConfigModel

/// How far an exchange is, as a value: what has arrived, what the limits say about it, and how it ended.
struct HTTPProgress {
    /// How an exchange ended.
    enum Outcome {
        case complete
        case failed(ConfigError)

        var failure: ConfigError? {
            guard case .failed(let failure) = self else { return nil }
            return failure
        }
    }

    /// The most bytes that may stand unread.
    let maximumUnread: Int
    private let server: String
    private let timeouts: HTTPTimeouts
    private let start: ContinuousClock.Instant
    private var lastSign: ContinuousClock.Instant

    private(set) var head: HTTPResponseHead?
    private(set) var unread: [UInt8] = []
    private(set) var outcome: Outcome?
    /// Raised whenever a reader may find something new.
    private(set) var version: UInt64 = 0

    /// - Parameters:
    ///   - server: host and port, for messages.
    ///   - maximumUnread: the most bytes that may stand unread: for a body that is read whole, its size.
    init(server: String, timeouts: HTTPTimeouts, maximumUnread: Int, start: ContinuousClock.Instant = .now) {
        self.server = server
        self.timeouts = timeouts
        self.maximumUnread = maximumUnread
        self.start = start
        lastSign = start
    }

    /// The head has arrived. The heads before the last one are interim ones (1xx).
    mutating func received(_ head: HTTPResponseHead, at now: ContinuousClock.Instant) {
        guard outcome == nil else { return }
        lastSign = now
        guard head.status >= 200 else { return }
        self.head = head
        version += 1
    }

    /// Some of the body has arrived.
    mutating func received(_ bytes: some Collection<UInt8>, at now: ContinuousClock.Instant) {
        guard outcome == nil, !bytes.isEmpty else { return }
        lastSign = now
        guard unread.count + bytes.count <= maximumUnread else {
            unread = []
            let mebibytes = maximumUnread >> 20
            return end(.failed(ConfigError(.tooLarge, "\(server) sends more than \(mebibytes) MiB at once")))
        }
        unread += bytes
        version += 1
    }

    /// Some of the request's body has left.
    mutating func sent(at now: ContinuousClock.Instant) {
        lastSign = now
    }

    /// Gives away what has not been read.
    mutating func takeUnread() -> [UInt8] {
        defer { unread = [] }
        return unread
    }

    /// The exchange is over; only its first end counts.
    mutating func end(_ outcome: Outcome) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        version += 1
    }

    /// When the exchange fails unless something happens, and what it fails of.
    var deadline: (instant: ContinuousClock.Instant, failure: ConfigError) {
        let (instant, patience) =
            head == nil ? (lastSign + timeouts.answer, timeouts.answer) : (lastSign + timeouts.idle, timeouts.idle)
        if let total = timeouts.total, start + total < instant {
            return (start + total, ConfigError(.unreachable, "\(server) is too slow: no end within \(total.inSeconds)"))
        }
        let verb = head == nil ? "does not answer" : "has fallen silent"
        return (instant, ConfigError(.unreachable, "\(server) \(verb); waited \(patience.inSeconds)"))
    }

    /// Fails if the time is up.
    mutating func checkTime(_ now: ContinuousClock.Instant) {
        let (instant, failure) = deadline
        if now >= instant { end(.failed(failure)) }
    }
}

extension Duration {
    /// In seconds with at most one fractional digit, such as `10 s`.
    var inSeconds: String {
        let tenths = components.seconds * 10 + components.attoseconds / 100_000_000_000_000_000
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
