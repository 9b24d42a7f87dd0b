// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import Files
import TerminalUI

/// A field for the path of a file to import, with the recent files, or the names with which the path can go on.
struct ImportScreen: DemoPanel {
    enum Command: Hashable, Sendable {
        case accept, complete, next, previous, back
        case choice(Int)
        case field(columns: Int)
    }

    let name = "Import a file"
    let kind = PanelKind.importFile
    var size: Size
    var feedback = ""
    private var field = TextField()
    /// The paths that are offered below the field.
    private var offered = PathCompletion(paths: [])
    /// The offered path that is in the field; `nil` while it has something else.
    private var chosen: Int?
    /// The request for the changes of the import.
    private var request: OperatorRequest?

    init(size: Size) { self.size = size }

    private var completion: OperatorRequest { .completion(of: field.text) }
    var isSidePanel: Bool { false }
    var takesText: Bool { request == nil }

    /// The screen is also opened from the main screen, before the inspector requests the rights.
    var openingIntents: [DemoIntent] { [.request(.abilities), .request(completion)] }

    mutating func update(_ state: PanelState) {}

    var commands: [ScreenCommand<Command>] {
        let back = ScreenCommand(Command.back, [Key(.escape)], hint: "Cancel", help: "Cancel")
        guard takesText else { return [back] }
        return [
            ScreenCommand(.accept, [Key(.enter)], hint: "Review", help: "Review the changes"),
            ScreenCommand(.complete, [Key(.tab)], hint: "Complete", help: "Complete the path"),
            ScreenCommand(.next, [Key(.down)], help: "Select the next path"),
            ScreenCommand(.previous, [Key(.up)], help: "Select the previous path"), back,
        ]
    }

    mutating func perform(_ command: Command) -> ScreenResponse<DemoIntent> {
        switch command {
        case .accept:
            if field.text.isEmpty || field.text.contains(where: \.isNewline) {
                feedback = field.text.isEmpty ? "type the path of a document" : Prompt.problemOfLines
                return .handled
            }
            let request = OperatorRequest.importing(path: field.text)
            self.request = request
            return .done([.request(request)])
        case .complete: return .done([.request(completion)])
        case .next: choose(chosen.map { $0 + 1 } ?? 0)
        case .previous: choose(chosen.map { $0 - 1 } ?? -1)
        case .choice(let index): choose(index)
        case .back: return .done([.cancel(completion), .toggle(kind)] + (request.map { [.cancel($0)] } ?? []))
        case .field: break
        }
        return .handled
    }

    private mutating func choose(_ index: Int) {
        let count = offered.names.count
        guard takesText, count > 0 else { return }
        let index = (index + count) % count
        (chosen, field) = (index, TextField(offered.folder + offered.names[index]))
    }

    mutating func receive(_ answer: OperatorAnswer) -> [DemoIntent] {
        if case .success(.abilities(let abilities)) = answer.result, let reason = abilities.reason(against: .edit) {
            return [.toggle(kind), .explain(reason)]
        }
        switch answer.result {
        case .success(.completed(let found)) where answer.request == completion && takesText:
            (offered, chosen) = (found, nil)
            if found.count == 0, !field.text.isEmpty { feedback = "no file begins with this path" }
            field = TextField(found.path)
        case .success(.imported(let document)) where answer.request == request:
            request = nil
            return review(document)
        case .failure(let error) where answer.request == request || answer.request == completion:
            if answer.request == request { request = nil }
            feedback = error.description
        default: break
        }
        return []
    }

    private mutating func review(_ document: DocumentImport) -> [DemoIntent] {
        guard !document.changes.isEmpty else {
            feedback = "No changes: " + document.summary.joined(separator: "; ")
            return []
        }
        let title = "Import \(field.text.fileNameOfPath)"
        let proposal = Proposal(
            title: title,
            changes: document.changes,
            message: title,
            notes: document.summary + document.changes.typeChanges,
            action: .importFile
        )
        return [.toggle(.review(proposal))]
    }

    mutating func handle(_ key: Key) -> ScreenResponse<DemoIntent> {
        let former = field.text
        guard takesText, field.handle(key) else { return key.isChord ? .ignored : .handled }
        return field.text == former ? .handled : offerAgain()
    }

    mutating func handle(pasted text: String) -> ScreenResponse<DemoIntent> {
        guard takesText else { return .handled }
        field.insert(text.withoutLineBreakAtEnd)
        return offerAgain()
    }

    /// Drops what was offered for another text.
    private mutating func offerAgain() -> ScreenResponse<DemoIntent> {
        (offered, chosen) = (PathCompletion(paths: []), nil)
        return field.text.isEmpty ? .done([.request(completion)]) : .handled
    }

    mutating func handle(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        guard mouse.action == .press(button: 0), case .target(let target, let offset) = panel.part(at: mouse.point)
        else { return .handled }
        if case .field(let columns) = target { field.click(column: offset, columns: columns) }
        return perform(target)
    }

    var panel: Panel<Command> {
        let columns = PanelPlace.maximumColumns(in: size)
        let spans = field.spans(columns: columns, hasFocus: true, target: Command.field(columns: columns))
        let note = request != nil ? "Reading…" : feedback
        let notes = note.sanitized().wrapped(toColumns: columns, maximumLines: 3).map { Line([.init($0, .accent)]) }
        let names = offered.names.enumerated().map { index, name in
            Line([.init(name, index == chosen ? .selected : .plain)], target: .choice(index))
        }
        let rest = offered.count - offered.names.count
        let more = rest > 0 ? [Line([.init("… and \(rest.grouped) more", .dimmed)])] : []
        let lines = [Line(spans, isFocused: true)] + notes + names + more
        let place = PanelPlace.centered(columns: columns, rows: max(lines.count, 2), in: size)
        return Panel(place, title: [.init(name, .title)], hints: commands, count: lines.count, top: 0) { lines[$0] }
    }
}
