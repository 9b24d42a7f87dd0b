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

        init(_ name: String, _ detail: String, _ intent: DemoIntent) {
            (self.name, self.detail, self.intent) = (name, detail, intent)
        }
    }

    var title: String
    var text: [String]
    var choices: [Choice]

    /// - Parameter canEdit: whether the user can write to the source.
    /// - Returns: `nil` unless the source has no configuration.
    init?(_ state: DemoState, canEdit: Bool) {
        let status = state.configuration.status
        let other = Choice("Follow a server or another file", "by its URL or path", .toggle(.sources(.follow)))
        if let steps = FirstSteps(status), let problem = status.problem {
            let file = problem.source ?? status.source
            let create = Choice("Create \(file)", "with a colour to change", .createFile(file))
            let demo = Choice("Show the demo", "colours that change by themselves", .follow(DemoSource.word))
            let needsToken = problem.code == .unauthorized
            text = [steps.sentence, steps.command]
            (title, choices) = needsToken ? ("Token required", [other, demo]) : ("Start", [create, other, demo])
        } else if let note = state.configuration.sentenceOnNamespace {
            title = "Empty namespace"
            text = canEdit ? [note] : [note, "To import a file, run: livery import FILE"]
            let document = Choice("Import a file", "with a review before it is written", .toggle(.importFile))
            let add = Choice("Add the first key", "with its first value", .toggle(.name(.add, "")))
            choices = canEdit ? [document, add, other] : [other]
        } else {
            return nil
        }
    }
}
