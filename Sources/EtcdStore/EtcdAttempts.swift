#if Etcd
    /// How long and how often something is tried: each member at once, then all again after a pause.
    struct EtcdAttempts {
        /// How long one member may take. A member that does not answer in a while hinders the others' being asked;
        /// on a slow machine an answer takes a while.
        var patience: Duration { min(longest, max(end - .now, .milliseconds(200))) }
        private var longest = Duration.seconds(2)
        private let end: ContinuousClock.Instant
        private let members: Int
        private var count = 0

        init(limit: Duration, members: Int) {
            end = .now + limit
            self.members = members
        }

        /// How long to wait before the next attempt; `nil` if there is none.
        mutating func pause(after kind: EtcdFailure.Kind) -> Duration? {
            count += 1
            let left = end - .now
            guard left > .zero else { return nil }
            switch kind {
            case .tokenExpired: return count > members ? nil : .zero
            case .unreachable:
                if count % members != 0 { return .zero }
                longest = min(longest * 2, .seconds(8))
                return min(.milliseconds(50 * (count / members)), .milliseconds(500))
            default: return nil
            }
        }
    }
#endif
