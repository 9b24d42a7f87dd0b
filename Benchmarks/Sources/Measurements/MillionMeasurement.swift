// SPDX-License-Identifier: Apache-2.0

import FleetSimulation

/// An hour of a million clients, 20 servers and one store, simulated with the real clients' decisions and the real hubs.
struct MillionMeasurement: BlockingMeasurement {
    private let scenario: Scenario

    init(clients: Int, seed: UInt64) {
        var scenario = Scenario()
        (scenario.clients, scenario.seed) = (clients, seed)
        self.scenario = scenario
    }

    func measure() throws -> Section {
        let report = try Fleet(scenario, progress: progress).run()
        let title = """
            \(report.clients.grouped) clients, simulated: an hour with a publish a second, seed \(scenario.seed)
            """
        let isSame = report.differing == 0 && !report.serversDiffer
        let digest = Goal(
            promise: "every client ends at the digest of the servers",
            figure: "\(report.digest) at revision \(report.revision.grouped), \(report.differing.grouped) differ",
            isMet: isSame
        )
        return Section(
            title: title,
            parts: [phases(report), Self.note, servers(report), digest]
        )
    }

    private static let note = """
        From a commit to a client: of clients with streams, and the longest of those that poll. Most in a second: new \
        connections of all servers together and of one, and the share of one server's time.
        """

    private func phases(_ report: FleetReport) -> Table {
        var table = Table(
            "From minute",
            "p50, ms",
            "p99, ms",
            "longest, s",
            "longest poll, s",
            "new connections",
            "of one server",
            "requests of one",
            "MB of one",
            "busy, %",
            "failed requests",
            "503",
            "whole reads",
            "failed publishes"
        )
        for row in report.phases {
            table.add(
                "\(row.start / 60): \(row.name)",
                row.median.grouped,
                row.p99.grouped,
                (Double(row.longest) / 1000).text(1),
                (Double(row.longestPoll) / 1000).text(1),
                row.connections.grouped,
                row.connectionsOfOne.grouped,
                row.requestsOfOne.grouped,
                (Double(row.bytesOfOne) / 1_000_000).text(1),
                row.busiest.grouped,
                row.failures.grouped,
                row.refusals.grouped,
                row.wholeReads.grouped,
                row.failedPublishes.grouped
            )
        }
        return table
    }

    private func servers(_ report: FleetReport) -> Table {
        var table = Table(
            "Server",
            "connections, most",
            "at the end",
            "opened",
            "most a second",
            "requests",
            "a second",
            "most a second",
            "MB a second",
            "most in a second",
            "busy, %"
        )
        let seconds = Double(scenario.length / .seconds(1))
        for row in report.servers {
            table.add(
                "\(row.number)",
                row.connections.grouped,
                row.connectionsAtEnd.grouped,
                row.opened.grouped,
                row.mostOpened.grouped,
                row.requests.grouped,
                (Double(row.requests) / seconds).text(0),
                row.mostRequests.grouped,
                (Double(row.bytes) / seconds / 1_000_000).text(2),
                (Double(row.mostBytes) / 1_000_000).text(1),
                row.busy.text(1)
            )
        }
        return table
    }
}

extension UInt64 {
    fileprivate var grouped: String { Int(clamping: self).grouped }
}
