// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The size of the installed programs: the builds without symbols.
struct SizeMeasurement: BlockingMeasurement {
    /// The limit for livery, in MB: FoundationEssentials with what it needs, without ICU's 34 MB of data.
    private static let most = 25

    private struct Program {
        let name: String
        /// The file's bytes with symbols and without.
        let built, stripped: Int
        /// The loaded sections: code and constants; initialized variables; zeroed variables.
        let sections: [Int]
    }

    func measure() throws -> Section {
        var table = Table("Program", "as built, MB", "stripped, MB", "text, MB", "data, MB", "bss, MB")
        let programs = try ["livery", "livery-server"].map(program)
        for program in programs {
            table.add([program.name] + ([program.built, program.stripped] + program.sections).map(Self.megabytes))
        }
        let livery = programs[0].stripped
        let goal = Goal(
            promise: "livery, static and stripped: at most \(Self.most) MB",
            before: "67.0",
            figure: Self.megabytes(livery),
            isMet: livery <= Self.most * 1_000_000
        )
        return Section(title: "Size: release builds, the Swift libraries linked into them", parts: [table, goal])
    }

    /// The build itself is left as it is: a copy is stripped.
    private func program(_ name: String) throws -> Program {
        let build = try builtProduct(named: name)
        let folder = try TemporaryDirectory(prefix: "bench")
        try FileManager.default.copyItem(atPath: build, toPath: folder[name])
        _ = try Command("strip", [folder[name]]).run()
        let report = try Command("size", ["--format=berkeley", folder[name]]).run().standardOutput
        let sections = report.split(separator: "\n").last?.split(whereSeparator: \.isWhitespace).prefix(3) ?? []
        return Program(
            name: name,
            built: try Self.bytes(of: build),
            stripped: try Self.bytes(of: folder[name]),
            sections: sections.compactMap { Int($0) }
        )
    }

    private static func bytes(of path: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    private static func megabytes(_ bytes: Int) -> String { (Double(bytes) / 1_000_000).text(1) }
}
