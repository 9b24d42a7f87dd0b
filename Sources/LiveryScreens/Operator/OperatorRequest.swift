// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigClient
package import ConfigModel
import ConfigWire
import Files

/// A request of a screen to the operator of the source.
enum OperatorRequest: Hashable, Sendable {
    case abilities
    case details(key: String)
    case history(key: String?, before: UInt64?, limit: Int)
    case contents(revision: UInt64?)
    /// The contents of another source, by its name as on the command line.
    case contentsOf(source: String)
    case schemaNames
    /// The changes that the import of a file would make.
    case importing(path: String)
    /// The names with which the path of a file to import can go on; the recent files for an empty path.
    case completion(of: String)
    case check(ConfigDiff)
    /// A publish, which is refused if the revision has changed since it was read; of the changed entries alone for `nil`.
    case publish(ConfigDiff, message: String?, expecting: UInt64? = nil)
    case rollback(to: UInt64, expecting: UInt64?, message: String?)
    case drafts
    case draft(id: String)
    case changeDraft(DraftChange)

    /// Whether it changes the source.
    var isWrite: Bool {
        switch self {
        case .publish, .rollback, .changeDraft: true
        case .abilities, .details, .history, .contents, .contentsOf, .schemaNames, .importing, .completion, .check,
            .drafts, .draft:
            false
        }
    }
}

/// The answer of an operator to a request.
enum OperatorResponse: Sendable {
    case abilities(OperatorAbilities)
    case details(KeyDetails)
    case history(HistoryMessage)
    case contents(SourceContents)
    case schemaNames(Set<String>)
    case imported(DocumentImport)
    case completed(PathCompletion)
    case report(ChangeReport)
    case published(PublishResult)
    case restored(OperatorReceipt)
    case drafts(DraftInbox)
    case draft(ServerDraft)
}

/// A request that has ended, with its result.
struct OperatorAnswer: Sendable {
    let request: OperatorRequest
    let result: Result<OperatorResponse, ConfigError>
    let time: Timestamp

    /// - Parameter time: the time of the answer.
    init(_ request: OperatorRequest, _ result: Result<OperatorResponse, ConfigError>, at time: Timestamp = .now) {
        (self.request, self.result, self.time) = (request, result, time)
    }
}

extension SourceOperator {
    /// Carries out a request.
    ///
    /// - Parameters:
    ///   - others: reads other sources; `nil` if there are none.
    ///   - files: the documents to import.
    func answer(
        _ request: OperatorRequest,
        with others: OtherSources? = nil,
        _ files: ImportFiles = ImportFiles()
    ) async -> OperatorAnswer {
        do throws(ConfigError) {
            return OperatorAnswer(request, .success(try await response(to: request, with: others, files)))
        } catch {
            return OperatorAnswer(request, .failure(error))
        }
    }

    private func response(
        to request: OperatorRequest,
        with others: OtherSources?,
        _ files: ImportFiles
    ) async throws(ConfigError) -> OperatorResponse {
        switch request {
        case .abilities: .abilities(try await grantedAbilities())
        case .details(let key): .details(try await details(of: key))
        case .history(let key, let before, let limit):
            .history(try await history(of: key, before: before, limit: limit))
        case .contents(let revision): .contents(try await contents(at: revision))
        case .contentsOf(let source): .contents(try await Self.contents(of: source, others))
        case .schemaNames: .schemaNames(try await schemaNames())
        case .importing(let path): .imported(try await changes(importing: path, of: files))
        case .completion(let path):
            .completed(try await FileThread.run { () throws(ConfigError) in try files.completion(of: path) })
        case .check(let changes): .report(try await check(changes))
        case .publish(let changes, let message, let expected):
            .published(try await publish(changes, message: message, expecting: expected))
        case .rollback(let revision, let expected, let message):
            .restored(try await rollback(to: revision, expecting: expected, message: message))
        case .drafts: .drafts(try await drafts())
        case .draft(let id): .draft(try await draft(id))
        case .changeDraft(let change): .draft(try await self.change(change))
        }
    }

    private static func contents(of source: String, _ others: OtherSources?) async throws(ConfigError) -> SourceContents
    {
        guard let others else { throw ConfigError(.rejected, "this program can read no other source") }
        return try await others(source).get()
    }
}

/// Reads another source once, by its name as on the command line.
package typealias OtherSources = @Sendable (String) async -> Result<SourceContents, ConfigError>
