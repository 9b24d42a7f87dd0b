// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigWire

@testable import LiveryScreens

extension DraftSummary {
    static func test(_ id: String, _ status: String, by author: String = "bob", missing: [String] = []) -> DraftSummary
    {
        var summary = DraftSummary()
        (summary.id, summary.title, summary.author) = (id, "Draft of \(author)", author)
        (summary.status, summary.missing, summary.createdAt) = (status, missing, Demo.noon)
        summary.state = ["applied", "closed"].contains(status) ? status : "open"
        return summary
    }
}

extension DraftMessage {
    /// A draft of bob that proposes a colour, and a limit whose entry has changed since.
    static func test(hasConflict: Bool = true) -> DraftMessage {
        var color = Operation()
        (color.key, color.base, color.revision) = ("app.background.color", 1, 1)
        (color.current, color.proposed) = ("#FFB6C1", "#87CEFA")
        var limit = Operation()
        (limit.key, limit.base, limit.revision) = ("app.limit", 1, hasConflict ? 2 : 1)
        (limit.current, limit.proposed) = (20, 30)
        var draft = DraftMessage()
        let missing = hasConflict ? ["rebase: app.limit"] : ["1 approval"]
        draft.summary = .test("k3x9m2ab", hasConflict ? "conflicted" : "in review", missing: missing)
        (draft.summary.version, draft.summary.title) = (4, "Sky for Monday")
        (draft.message, draft.editors, draft.needed) = ("campaign", ["bob"], 1)
        draft.digest = String(repeating: "d", count: 64)
        draft.operations = [color, limit]
        var event = Event()
        (event.event, event.subject, event.time) = ("created", "bob", Demo.noon)
        draft.log = [event]
        return draft
    }
}
