// SPDX-License-Identifier: Apache-2.0

/// A condition that did not come true in time, or cannot any more.
package struct WaitError: Error, Hashable, CustomStringConvertible {
    /// The expected condition.
    package let expectation: String
    /// The maximum wait; `nil` if the program has ended before.
    package let deadline: Duration?
    /// The result of the last check, such as the screen, if there is a useful one.
    package let lastState: String?
    /// The place in the test that waited, `Module/File.swift:line`.
    package let place: String

    package init(expectation: String, deadline: Duration?, lastState: String?, place: String) {
        (self.expectation, self.deadline, self.lastState, self.place) = (expectation, deadline, lastState, place)
    }

    package var description: String {
        let state = lastState.map { "\nThe last state was:\n\($0)" } ?? ""
        let reason = deadline.map { "timed out after \($0), waiting" } ?? "the program ended while the test waited"
        return "\(place): \(reason) for \(expectation).\(state)"
    }
}
