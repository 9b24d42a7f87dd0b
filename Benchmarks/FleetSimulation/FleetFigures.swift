// SPDX-License-Identifier: Apache-2.0

/// The work of a server: in the current second, the most in any second of each phase, and in all.
struct ServerLoad {
    struct Second {
        var connections = 0
        var requests = 0
        var bytes = 0
        var busy = Duration.zero
    }

    /// In the present second.
    var connections = 0
    var requests = 0
    var bytes = 0
    var busy = Duration.zero
    private(set) var most: [Second]
    private(set) var total = Second()
    private(set) var mostConnected = 0

    init(phases: [Phase]) { most = Array(repeating: Second(), count: phases.count) }

    /// Ends a second.
    mutating func tick(phase: Int, connected: Int) {
        let now = Second(connections: connections, requests: requests, bytes: bytes, busy: busy)
        most[phase].connections = max(most[phase].connections, now.connections)
        most[phase].requests = max(most[phase].requests, now.requests)
        most[phase].bytes = max(most[phase].bytes, now.bytes)
        most[phase].busy = max(most[phase].busy, now.busy)
        total.connections += now.connections
        total.requests += now.requests
        total.bytes += now.bytes
        total.busy += now.busy
        mostConnected = max(mostConnected, connected)
        (connections, requests, bytes, busy) = (0, 0, 0, .zero)
    }
}

/// Times to the current revision, in bins of a millisecond.
struct DelayCounts {
    private var bins = [Int](repeating: 0, count: 1000)
    private(set) var count = 0
    private(set) var longest = Duration.zero

    mutating func add(_ delay: Duration, times: Int = 1) {
        let bin = max(Int(delay / .milliseconds(1)), 0)
        if bin >= bins.count { bins += [Int](repeating: 0, count: bin + 1 - bins.count) }
        bins[bin] += times
        count += times
        longest = max(longest, delay)
    }

    /// Adds clients that are served one after the other, evenly over a time.
    mutating func add(_ delays: ClosedRange<Duration>, times: Int) {
        let span = delays.upperBound - delays.lowerBound
        let parts = min(max(Int(span / .milliseconds(1)), 1), max(times, 1))
        for part in 1...parts {
            let share = times * part / parts - times * (part - 1) / parts
            add(delays.lowerBound + span * part / parts, times: share)
        }
    }

    /// The minimum time, in milliseconds, that is not exceeded by this many percent of all.
    func percentile(_ percent: Double) -> Int {
        var left = Int((percent / 100 * Double(count)).rounded(.up))
        for (bin, count) in bins.enumerated() {
            left -= count
            if left <= 0 { return bin }
        }
        return 0
    }
}

/// The figures of a phase.
struct PhaseFigures {
    /// The times to the current revision of clients with streams.
    var streams = DelayCounts()
    /// Those of the others.
    var polls = DelayCounts()
    /// Requests without an answer, answers with an error, reads of everything, and publishes that failed.
    var (failures, refusals, wholeReads, failedPublishes) = (0, 0, 0, 0)
    /// The most new connections in a second, of all servers together.
    var connections = 0
}
