// SPDX-License-Identifier: Apache-2.0

/// The results of one measurement: a heading, and tables with what there is to say about them.
struct Section: CustomStringConvertible {
    /// A table, a goal or a paragraph.
    typealias Part = any CustomStringConvertible & Sendable

    let title: String
    let parts: [Part]

    var description: String {
        (["### \(title)"] + parts.map(\.description)).joined(separator: "\n\n")
    }
}

/// A figure that the project promises, beside the one of now.
struct Goal: CustomStringConvertible {
    /// The goal, with the unit and the limit: `livery, static and stripped: at most 25 MB`.
    let promise: String
    /// The figure when the goal was set, where there is one to compare with.
    let before: String?
    /// The figure of this run.
    let figure: String?
    let isMet: Bool

    init(promise: String, before: String? = nil, figure: String? = nil, isMet: Bool) {
        self.promise = promise
        self.before = before
        self.figure = figure
        self.isMet = isMet
    }

    var description: String { "Goal: \(promise): \([figure, result].compactMap { $0 }.joined(separator: ", "))." }

    private var result: String { isMet ? "met" : "**missed**" }
}

extension Section {
    /// The goals of all sections in one table.
    static func goals(of sections: [Section]) -> Section {
        var table = Table("Goal", "before", "now", "")
        for case let goal as Goal in sections.flatMap(\.parts) {
            table.add(goal.promise, goal.before ?? "", goal.figure ?? "", goal.isMet ? "met" : "**missed**")
        }
        return Section(title: "Goals", parts: [table])
    }
}
