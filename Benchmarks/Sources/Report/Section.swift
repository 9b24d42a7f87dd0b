/// The results of one measurement: a heading, and tables with what there is to say about them.
struct Section: CustomStringConvertible {
    let title: String
    let parts: [any CustomStringConvertible & Sendable]

    var description: String {
        (["### \(title)"] + parts.map(\.description)).joined(separator: "\n\n")
    }
}

/// Whether a figure is what the project promises.
struct Goal: CustomStringConvertible {
    let promise: String
    let isMet: Bool

    var description: String { "Goal: \(promise): \(isMet ? "met" : "**missed**")." }
}
