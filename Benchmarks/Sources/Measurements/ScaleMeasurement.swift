import ConfigModel
import TestSupport

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What many keys cost: to load them, and to change few of them.
struct ScaleMeasurement: Measurement {
    let batches: Int

    private static let epoch = Epoch(rawValue: 1)
    private static let moment = Timestamp(milliseconds: 0)

    func run() async throws -> Section {
        try await onDedicatedThread {
            let before = Self.residentKilobytes()
            let (loading, whole) = try load(keys: 100_000)
            let growth = Self.residentKilobytes() - before
            var loads = Table("100,000 keys from a server", "median, ms", "memory with all that was read, MB")
            loads.add("read the answer and apply it", loading.text(1), (Double(growth) / 1000).text(0))

            let (small, large) = (try delta(on: try load(keys: 100).state), try delta(on: whole))
            var deltas = Table("A change of 10 keys", "median, µs")
            deltas.add("onto 100 keys", small.text(1))
            deltas.add("onto 100,000 keys", large.text(1))
            let goal = Goal(
                promise: "a change costs the same on 100,000 keys as on 100, within twice (\((large / small).text(2)))",
                isMet: large <= 2 * small
            )
            return Section(title: "Scale, in processor time", parts: [loads, deltas, goal])
        }
    }

    private func load(keys: Int) throws -> (milliseconds: Double, state: EntrySnapshot) {
        let entries = Dictionary(
            uniqueKeysWithValues: (0..<keys).map {
                ("group.\($0 / 100).key_\($0)", EntryValue.string("value number \($0)"))
            }
        )
        let digest = ConfigDigest(entries.lazy.map { ($0.key, $0.value) })
        let cursor = Cursor(epoch: Self.epoch, revision: 1)
        let json = ConfigAnswer.snapshot(
            ServerSnapshot(cursor: cursor, digest: digest, entries: entries),
            isReset: false
        ).json
        var state = EntrySnapshot.empty
        let times = try (0..<max(batches / 20, 3)).map { _ in
            try processorTime { state = try Self.apply(json) }.milliseconds
        }
        return (Distribution(times).median, state)
    }

    private static func apply(_ json: [UInt8]) throws -> EntrySnapshot {
        guard case .snapshot(let whole, _) = try ConfigAnswer(json: json) else { return .empty }
        return try EntrySnapshot.empty.updated(with: whole, from: "benchmark", at: moment).snapshot
    }

    /// The median microseconds of a change of ten keys.
    private func delta(on state: EntrySnapshot) throws -> Double {
        let keys = Array(state.entries.keys.prefix(10))
        var times: [Double] = []
        for round in 0..<batches {
            let upserts = Dictionary(uniqueKeysWithValues: keys.map { ($0, EntryValue.integer(round)) })
            var digest = state.digest ?? ConfigDigest()
            for (key, value) in upserts {
                if let known = state.entries[key] { digest.remove(known.value, forKey: key) }
                digest.insert(value, forKey: key)
            }
            let changes = Changeset(from: 1, to: 2, digest: digest, upserts: upserts)
            let time = try processorTime {
                for _ in 0..<50 {
                    use(state.updated(with: changes, epoch: Self.epoch, from: "benchmark", at: Self.moment))
                }
            }
            times.append(time / .microseconds(50))
        }
        return Distribution(times).median
    }

    /// The most memory that this process has had so far.
    private static func residentKilobytes() -> Int {
        var usage = rusage()
        // RUSAGE_SELF, which Linux and Darwin import as different types.
        getrusage(0, &usage)
        return usage.ru_maxrss
    }
}
