// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The request of a reader of swift-configuration for the JSON of a value, made as one for a string: it has no type for
/// objects.
///
/// A provider of JSON answers with the text of any value, and of an object that the keys below the key make up. The text begins
/// with a line feed: a string of another provider begins with none, and may be JSON or a string.
package final class JSONRequest: Sendable {
    @TaskLocal private static var ofTask: JSONRequest?
    /// Whether a reader tries one type after another, so that a value of another type is not reported.
    @TaskLocal package static var isProbe = false
    /// Whether a reader wants a string, and not the JSON of an object or an array: of several layers, the topmost that has one
    /// counts.
    @TaskLocal package static var wantsString = false
    /// The number of requests: while there are none, a lookup need not read the task's.
    private static let count = Atomic(0)

    private let origin = Mutex<String?>(nil)
    /// Throws the error of a value that cannot be read as the type that the reader wants, with the path of the part: the next
    /// layer serves that part.
    package let check: @Sendable (EntryValue) throws -> Void
    /// The subject of a request.
    package enum Purpose: Sendable {
        /// A value, also if it is the object that keys below the key make up.
        case value
        /// A value of the key itself.
        case valueOfOneKey
        /// The values of all layers, to watch them: any of them may be the one that the reader accepts.
        case allLayers
        /// The members of the evaluation context, by a key that a scope or a prefix may change.
        case context
    }

    package let purpose: Purpose

    /// Whether the object that keys below the key make up is a value; otherwise the key itself has to be there.
    package var readsBranches: Bool { purpose != .valueOfOneKey }

    package init(_ purpose: Purpose = .value, check: @escaping @Sendable (EntryValue) throws -> Void = { _ in }) {
        (self.purpose, self.check) = (purpose, check)
        Self.count.add(1, ordering: .relaxed)
    }

    deinit { Self.count.subtract(1, ordering: .relaxed) }

    /// The request that is being answered.
    package static var current: JSONRequest? { count.load(ordering: .relaxed) == 0 ? nil : ofTask }

    /// Makes a request, or none, for all that a closure reads.
    package static func with<Result>(_ request: JSONRequest?, _ body: () throws -> Result) rethrows -> Result {
        try $ofTask.withValue(request, operation: body)
    }

    /// Makes a request, or none, for all that a closure reads.
    package static func with<Result>(
        _ request: JSONRequest?,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $ofTask.withValue(request, operation: body)
    }

    /// Notes where the value is from: the source, the layer, or the bundled default.
    package func note(origin: String) { self.origin.withLock { $0 = origin } }

    /// The value of the topmost layer that passes a check, and its origin; `nil` if there is none, or if the provider has no layers.
    package static func found(
        _ purpose: Purpose,
        check: @escaping @Sendable (EntryValue) throws -> Void,
        of read: () -> String?
    ) -> (value: EntryValue, origin: String?)? {
        let request = JSONRequest(purpose, check: check)
        guard let text = with(request, read), isAnswer(text), let value = values(of: text).first else { return nil }
        return (value, request.origin.withLock(\.self))
    }

    /// The key under which a reader asks for the members of the evaluation context. It is the key of no value.
    package static let contextKey = "$context"

    /// The string that answers a request with a value.
    package static func answer(_ value: EntryValue) -> String { "\n" + value.canonicalJSON }

    private static func isAnswer(_ text: String) -> Bool { text.utf8.first == UInt8(ascii: "\n") }

    /// The possible values of a string, the likeliest first.
    package static func values(of text: String) -> [EntryValue] {
        let isAnswer = isAnswer(text)
        // A text that is not JSON is a string.
        guard let value = try? isAnswer ? EntryValue(json: Array(text.utf8)) : EntryValue(text: text) else {
            return [.string(text)]
        }
        return isAnswer ? [value] : [value, .string(text)]
    }
}
