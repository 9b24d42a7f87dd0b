/// Why a store cannot do what it was asked to.
public struct StoreError: Error, Sendable {
    /// The kinds of error.
    public struct Code: Hashable, Sendable {
        /// The stable name of the kind, for logs.
        public let rawValue: String

        private init(_ rawValue: String) { self.rawValue = rawValue }

        /// The store cannot be reached or opened at present. Trying again later may help.
        public static let unavailable = Code("unavailable")
        /// The store can be read but not written to.
        public static let readOnly = Code("read_only")
        /// There is no room left.
        public static let full = Code("full")
        /// What the store holds contradicts itself, or comes from a newer version of this program.
        public static let damaged = Code("damaged")
        /// It is unknown whether the commit was made. What the store says when it is loaded again is what is so.
        public static let uncertain = Code("uncertain")
        /// The request is larger than the store can take at once.
        public static let tooLarge = Code("too_large")
        /// The namespace would grow beyond a quota.
        public static let overQuota = Code("over_quota")
    }

    /// The kind of error.
    public var code: Code
    /// What is wrong and what to do, as one sentence without a full stop.
    public var message: String
    /// The error beneath, where another library reported it.
    public var underlying: (any Error)?

    /// Creates an error.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }
}

extension StoreError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
