// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig

/// The next steps where there is no configuration yet.
struct StartCard: Hashable, Sendable {
    /// A choice and its effect.
    struct Choice: Hashable, Sendable {
        var name: String
        var detail: String
        var intent: DemoIntent
    }

    var title: String
    var text: [String]
    var choices: [Choice]

    /// - Parameter canEdit: whether the user can write to the source.
    /// - Returns: `nil` unless the source has no configuration.
    init?(_ state: DemoState, canEdit: Bool) {
        let status = state.configuration.status
        let other = Choice(
            name: "Follow a server or another file",
            detail: "by its URL or path",
            intent: .toggle(.sources(.follow))
        )
        let demo = Choice(
            name: "Show the demo",
            detail: "colours that change by themselves",
            intent: .follow(DemoSource.word)
        )
        if let steps = FirstSteps(status), let problem = status.problem {
            text = [steps.sentence, steps.command]
            guard problem.code != .unauthorized else {
                (title, choices) = ("Token required", [other, demo])
                return
            }
            let create = Choice(
                name: "Create \(problem.source ?? status.source)",
                detail: "with a colour to change",
                intent: .createFile(problem.source ?? status.source)
            )
            (title, choices) = ("Start", [create, other, demo])
        } else if let note = state.configuration.sentenceOnNamespace {
            title = "Empty namespace"
            text = canEdit ? [note] : [note, "To import a file, run: livery import FILE"]
            let document = Choice(
                name: "Import a file",
                detail: "with a review before it is written",
                intent: .toggle(.importFile)
            )
            let add = Choice(
                name: "Add the first key",
                detail: "with its first value",
                intent: .toggle(.name(.add(prefix: "")))
            )
            choices = canEdit ? [document, add, other] : [other]
        } else {
            return nil
        }
    }
}
