// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigWire

/// The progress of a read.
enum DeskReading<Answer> {
    case loading
    case done(Answer)
    case failed(ConfigError)

    var answer: Answer? { if case .done(let answer) = self { answer } else { nil } }
    var problem: String? { if case .failed(let error) = self { error.description } else { nil } }
}

extension DeskReading: Sendable where Answer: Sendable {}
extension DeskReading: Equatable where Answer: Equatable {}

/// The reads that the open panels need, with their answers.
///
/// Panels name what they need; a read runs while a panel needs it, and its answer is kept for as long. An answer that a new
/// revision makes stale is shown until the next one is there.
struct DeskReads: Sendable {
    /// A step to take.
    enum Step: Hashable, Sendable {
        case start(OperatorRequest)
        case cancel(OperatorRequest)
    }

    private var answers: [OperatorRequest: Result<OperatorResponse, ConfigError>] = [:]
    private var running: Set<OperatorRequest> = []
    private var stale: Set<OperatorRequest> = []

    /// Adapts to what is needed now.
    mutating func update(needs: Set<OperatorRequest>) -> [Step] {
        if needs.isEmpty, running.isEmpty, answers.isEmpty { return [] }
        let unneeded = running.subtracting(needs)
        running.subtract(unneeded)
        for read in answers.keys where !needs.contains(read) { answers[read] = nil }
        stale.formIntersection(needs)
        let missing = needs.filter { (answers[$0] == nil || stale.contains($0)) && !running.contains($0) }
        running.formUnion(missing)
        stale.subtract(missing)
        return unneeded.map(Step.cancel) + missing.map(Step.start)
    }

    /// Takes an answer; one that no panel waits for is dropped.
    ///
    /// - Returns: whether panels may have other lines.
    mutating func receive(_ answer: OperatorAnswer) -> Bool {
        guard running.remove(answer.request) != nil else { return false }
        // The last good answer is better than the error of a repetition, unless the user has requested it.
        let isRequested = answer.request.isOfOtherSource
        if !isRequested, case .failure = answer.result, case .success? = answers[answer.request] { return false }
        answers[answer.request] = answer.result
        return true
    }

    /// Marks what a new revision changes.
    mutating func invalidate() {
        // The answers of running reads may be of the revision before.
        stale.formUnion(answers.keys.filter(\.becomesStale))
        stale.formUnion(running.filter(\.becomesStale))
    }

    /// Marks the schemas, which are too rarely changed to be read with each revision.
    mutating func invalidateSchemas() {
        if answers[.schemaNames] != nil || running.contains(.schemaNames) { stale.insert(.schemaNames) }
    }

    /// Marks the drafts, after one was changed. Changes by others arrive with a new revision, such as that of a preview.
    mutating func invalidateDrafts() {
        stale.formUnion(answers.keys.filter(\.isOfDrafts))
        stale.formUnion(running.filter(\.isOfDrafts))
    }

    /// Ends the reads that run.
    ///
    /// - Returns: what to cancel; empty if nothing runs.
    mutating func cancel() -> [Step] {
        let steps = running.map(Step.cancel)
        for read in running where answers[read] == nil {
            answers[read] = .failure(ConfigError(.unavailable, "cancelled; press r to try again"))
        }
        stale.subtract(running)
        running = []
        return steps
    }

    /// Makes reads that have failed run again, and those of other sources, which no revision makes stale.
    mutating func retry() {
        stale.formUnion(answers.keys.filter { $0.isOfOtherSource || $0.isOfDrafts })
        answers = answers.filter { if case .failure = $0.value { false } else { true } }
    }
}

extension DeskReads {
    var isRunning: Bool { !running.isEmpty }

    func isRunning(_ read: OperatorRequest) -> Bool { running.contains(read) }

    func details(of key: String) -> DeskReading<KeyDetails> { reading(.details(key: key), \.details) }

    func history(of key: String?, before: UInt64?) -> DeskReading<HistoryMessage> {
        reading(.history(of: key, before: before), \.history)
    }

    var lastChanges: DeskReading<HistoryMessage> { reading(.lastChanges, \.history) }
    var schemaNames: DeskReading<Set<String>> { reading(.schemaNames, \.schemaNames) }

    func report(on changes: ConfigDiff) -> DeskReading<ChangeReport> {
        reading(.check(changes), \.report)
    }

    func contents(at revision: UInt64?) -> DeskReading<SourceContents> {
        reading(.contents(revision: revision), \.contents)
    }

    func contents(ofSource name: String) -> DeskReading<SourceContents> {
        reading(.contentsOf(source: name), \.contents)
    }

    var drafts: DeskReading<DraftInbox> { reading(.drafts, \.drafts) }
    func draft(_ id: String) -> DeskReading<ServerDraft> { reading(.draft(id: id), \.draft) }

    private func reading<Answer>(
        _ read: OperatorRequest,
        _ answer: (OperatorResponse) -> Answer?
    ) -> DeskReading<Answer> {
        switch answers[read] {
        case nil: .loading
        case .success(let found): answer(found).map { .done($0) } ?? .loading
        case .failure(let error): .failed(error)
        }
    }
}

extension OperatorResponse {
    fileprivate var details: KeyDetails? { if case .details(let details) = self { details } else { nil } }
    fileprivate var history: HistoryMessage? { if case .history(let page) = self { page } else { nil } }
    fileprivate var contents: SourceContents? { if case .contents(let contents) = self { contents } else { nil } }
    fileprivate var schemaNames: Set<String>? { if case .schemaNames(let names) = self { names } else { nil } }
    fileprivate var drafts: DraftInbox? { if case .drafts(let drafts) = self { drafts } else { nil } }
    fileprivate var draft: ServerDraft? { if case .draft(let draft) = self { draft } else { nil } }
    fileprivate var report: ChangeReport? { if case .report(let report) = self { report } else { nil } }
}

extension OperatorRequest {
    /// The records of a page; a server may send more, since no revision is split.
    private static let recordsOfPage = 100

    /// A page of the changes of one entry or of all.
    static func history(of key: String?, before: UInt64?) -> OperatorRequest {
        .history(key: key, before: before, limit: recordsOfPage)
    }

    /// The changes that name the authors of keys.
    static let lastChanges = OperatorRequest.history(key: nil, before: nil, limit: 1000)

    /// Whether a later revision gives another answer.
    fileprivate var becomesStale: Bool {
        switch self {
        case .details, .history(_, before: nil, _), .contents(revision: nil), .check: true
        default: isOfDrafts
        }
    }

    fileprivate var isOfDrafts: Bool {
        switch self {
        case .drafts, .draft: true
        default: false
        }
    }

    fileprivate var isOfOtherSource: Bool { if case .contentsOf = self { true } else { false } }
}
