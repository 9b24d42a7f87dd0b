// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The machine on which the figures were measured, without anything that identifies it.
struct Machine: CustomStringConvertible {
    let rows: [(name: String, value: String)]

    static func current() -> Machine {
        let process = ProcessInfo.processInfo
        let gibibytes = Double(process.physicalMemory) / 1_073_741_824
        return Machine(rows: [
            ("Processor", processor),
            ("Cores", "\(process.activeProcessorCount)"),
            ("Memory", "\(gibibytes.text(1)) GiB"),
            ("System", system),
            ("Swift", versionNumber(of: "swift")),
            ("htop, btop, tmux", ["htop", "btop", "tmux"].map(versionNumber).joined(separator: ", ")),
            (
                "nginx, MariaDB, Node",
                ["/usr/sbin/nginx", "mariadbd", "/usr/bin/nodejs"].map(versionNumber).joined(separator: ", ")
            ),
            ("redis, etcd", ["redis-server", "etcd"].map(versionNumber).joined(separator: ", ")),
            ("Load at the start", load),
            ("Date", Date.now.formatted(.iso8601.year().month().day())),
        ])
    }

    var description: String {
        var table = Table("", "")
        for row in rows { table.add(row.name, row.value) }
        return table.description
    }

    private static var processor: String {
        #if os(Linux)
            let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
            let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
            return model.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
        #else
            return output(of: Command("sysctl", ["-n", "machdep.cpu.brand_string"]))
        #endif
    }

    private static var system: String {
        #if os(Linux)
            let lines = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8))?.split(separator: "\n") ?? []
            let name = lines.first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst("PRETTY_NAME=".count)
            return name.map { $0.trimmingCharacters(in: ["\""]) } ?? "Linux"
        #else
            return "macOS " + ProcessInfo.processInfo.operatingSystemVersionString
        #endif
    }

    /// The mean number of threads that ran or could have, over the last minute.
    private static var load: String {
        var average = 0.0
        return getloadavg(&average, 1) == 1 ? average.text(1) : "unknown"
    }

    /// The first word of a program's version output that begins with a digit.
    private static func versionNumber(of program: String) -> String {
        let option = ["tmux": "-V", "/usr/sbin/nginx": "-v"][program] ?? "--version"
        let words = output(of: Command(program, [option])).split { $0.isWhitespace || "/=v".contains($0) }
        return words.first { $0.first?.isNumber == true }.map(String.init) ?? "not installed"
    }

    private static func output(of command: Command) -> String {
        guard let output = try? command.run() else { return "" }
        // nginx prints its version on standard error.
        return (output.standardOutput + output.standardError).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
