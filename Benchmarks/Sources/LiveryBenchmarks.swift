// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// Measures livery beside its peers, and prints tables.
@main
struct LiveryBenchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure livery and livery-server beside their peers, and print the results as Markdown.",
        discussion: "Without arguments everything is measured, which takes some minutes. Progress is on standard error."
    )

    @Argument(help: "What to measure.")
    var measurements: [MeasurementName] = []

    @Flag(help: "Measure a tenth as often, to see that everything runs. The figures mean little.")
    var quick = false

    @Flag(help: "Put the results into Benchmarks/README.md as well, in place of the last ones.")
    var write = false

    @Option(help: "What draws the random numbers of the simulation 'million'.")
    var seed: UInt64 = 1

    func validate() throws {
        if write, quick || !measurements.isEmpty {
            throw ValidationError("--write needs the whole measurement: leave out --quick and the names.")
        }
    }

    func run() async throws {
        let names = measurements.isEmpty ? MeasurementName.allCases : measurements
        let machine = Machine.current().description
        if names.contains(where: \.isMeasured) { print(machine) }
        var sections: [Section] = []
        for name in names {
            progress("\(name.rawValue) …")
            sections.append(try await name.measurement(Effort(isQuick: quick), seed: seed).run())
            print("\n\(sections[sections.count - 1])")
            fflush(nil)
        }
        let goals = Section.goals(of: sections)
        print("\n\(goals)")
        guard write else { return }
        let results = [machine] + ([goals] + sections).map(\.description)
        try ResultsFile.project.replace(with: results.joined(separator: "\n\n"))
    }
}
