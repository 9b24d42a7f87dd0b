// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigRules
package import ConfigWire
package import Dispatch
public import Essentials

/// A place that configuration comes from.
///
/// A source reads on request, and reports changes in between. It neither stores a state nor decides which one is current or
/// when to retry: that is ``RemoteConfigService``'s part.
///
/// A custom source needs a ``name``, a ``delivery`` and ``read(after:)``; everything else has a default. ``DocumentFormat``
/// reads JSON and YAML. The service's clock schedules polls; a source with its own pauses takes an `any Clock<Duration>`, so
/// that a test can pass a `TestClock`.
public protocol ConfigSource: Sendable {
    /// The source as the user named it, such as `config.json`.
    var name: String { get }

    /// The text that distinguishes the source from every other, in every process and independent of the current folder: values
    /// are cached under its hash. It must contain everything that the values depend on, such as an address, a tenant or a
    /// query, and no secret in plain text.
    ///
    /// The default is the type and the ``name``, which suffices where no two sources of the type have the same name.
    var identity: String { get }

    /// Whether the values depend on the context of the service (``RemoteConfigService/setContext(_:)``), because the source
    /// evaluates. Such a source finds the context in ``SourcePosition/context``; values are shown and cached for the
    /// context that they were read in and no other: the values of another context are without them. The default is
    /// whether those of a layer do; where it is `false`, the context stays in the program.
    var dependsOnContext: Bool { get }

    /// The way in which changes of the source are detected.
    var delivery: SourceDelivery { get }

    /// The sources that this one combines, the topmost first; the default is those of the ``wrapped`` one.
    ///
    /// A service follows and caches each of them as if it were alone, and shows for each key the value of the first one
    /// that has it. Of this source it uses the ``name``, the ``identity`` and ``dependsOnContext``, and reads the
    /// layers instead.
    var layers: [any ConfigSource] { get }

    /// The source that this one wraps, to read its values and return others; the default is `nil`.
    ///
    /// If the wrapped source has ``layers``, a service reads those, and not the wrapper.
    var wrapped: (any ConfigSource)? { get }

    /// The content of the source, if the program itself carries it: it is shown from the start and not cached. The default
    /// is `nil`.
    var bundled: ConfigDocument? { get }

    /// The draft whose preview the source is; the default is that of the wrapped source or of the topmost layer that has one,
    /// else `nil`.
    ///
    /// The values of a preview are never cached, and reading them leaves no ``Exposure`` and no metrics. The status of the service
    /// names the draft (``SourceStatus/preview``).
    var preview: String? { get }

    /// The address whose host and port identify the source in metrics and traces. The default is the ``name``, where
    /// that is an address of `http` or `https`.
    var address: URL? { get }

    /// Reads the current contents of the source. A long read ends early when its task is cancelled.
    ///
    /// - Parameter known: the known position. A source may answer ``SourceReading/unchanged``, or ignore it and answer with
    ///   everything.
    /// - Throws: `ConfigError`. The last good state stays, and the code determines the pause before the next attempt:
    ///   `unauthorized` and `forbidden` have longer ones, and only after `unreachable` is a polled source read before
    ///   its interval has passed. Its `retryAfter` is respected.
    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading

    /// Reports events of the source, until the task is cancelled or the source has nothing more to report.
    ///
    /// Returning and throwing both mean that the connection has ended; it is opened again later.
    ///
    /// - Parameters:
    ///   - known: the known position, so that later changes can be reported.
    ///   - receive: called with one event after another. It returns when the event has taken effect, so a source
    ///     that reports too much is slowed down.
    func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError)
}

/// Receives the events of a source.
public typealias SourceReceiver = @Sendable (SourceEvent) async -> Void

extension ConfigSource {
    /// The type and the name.
    public var identity: String { "\(Self.self) \(name)" }

    /// Whether the values of a layer depend on it; `false` for a source without layers.
    public var dependsOnContext: Bool { layers.contains { $0.dependsOnContext } }

    /// Those of the wrapped source; none if it reads its values itself, or if there is none.
    public var layers: [any ConfigSource] { wrapped?.layers ?? [] }

    /// `nil`: for a source that wraps no other.
    public var wrapped: (any ConfigSource)? { nil }

    /// `nil`: for a source outside the program.
    public var bundled: ConfigDocument? { nil }

    /// The preview of the wrapped source or of the layers.
    public var preview: String? { wrapped?.preview ?? layers.lazy.compactMap(\.preview).first }

    /// The ``name`` as an address.
    public var address: URL? { URL(string: name) }

    /// Returns at once, for a source that is polled.
    public func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {}

    /// Reads everything, without a known position.
    public func read() async throws(ConfigError) -> SourceReading {
        try await read(after: SourcePosition())
    }
}

/// The way in which changes of a source are detected.
public enum SourceDelivery: Hashable, Sendable {
    /// By hints of a source on this machine: it is read when it hints, and ``ConfigSource/follow(after:_:)`` lasts.
    case watched
    /// By polling, at this interval unless a reading specifies another.
    case polled(every: Duration)
    /// By a stream of events; while it is down, by polling at this interval.
    case streamed(pollingEvery: Duration)
}

/// The known position in a source.
public struct SourcePosition: Hashable, Sendable {
    /// The position of the current state in a server's history.
    package var cursor: RevisionCursor?
    /// The validators of the last reading.
    package var validators: SourceValidators?
    /// The text of the current state, if an edit of it may be returned. It is ignored when positions are compared.
    package var text: DividedText.Mark? {
        get { uncomparedText.value }
        set { uncomparedText.value = newValue }
    }
    private var uncomparedText = Uncompared<DividedText.Mark?>(nil)
    /// The position in a server's history that is shown, where the whole state must be read again. An older answer is
    /// refused.
    package var seen: RevisionCursor?
    /// The context to read in, which everything above belongs to as well; `nil` for no context, and for a source whose
    /// values do not depend on it (``ConfigSource/dependsOnContext``).
    public var context: EvaluationContext?
    /// The queue that the service runs on; `nil` without a service. A source that reports from this queue wakes no other
    /// thread. It is ignored when positions are compared.
    package var queue: DispatchQueue? {
        get { uncomparedQueue.value }
        set { uncomparedQueue.value = newValue }
    }
    private var uncomparedQueue = Uncompared<DispatchQueue?>(nil)
    /// Has the service read again, unless it is paused, offline or has ended, and returns once that has taken effect: for a source that
    /// changes before the service follows it. It is ignored when positions are compared.
    package var readAgain: @Sendable () async -> Void {
        get { uncomparedReadAgain.value }
        set { uncomparedReadAgain.value = newValue }
    }
    private var uncomparedReadAgain = Uncompared<@Sendable () async -> Void>({})

    /// Creates a position without a known state.
    public init() {}

    package init(
        cursor: RevisionCursor? = nil,
        validators: SourceValidators? = nil,
        seen: RevisionCursor? = nil,
        context: EvaluationContext? = nil
    ) {
        (self.cursor, self.validators, self.seen, self.context) = (cursor, validators, seen, context)
    }

    /// The entity tag of the last reading; `nil` if it had none.
    public var entityTag: String? { validators?.entityTag }

    /// The modification date of the last reading as HTTP's header `Last-Modified` has it; `nil` if it had none.
    public var lastModified: String? { validators?.lastModified }
}

/// The marks of a representation, as HTTP's headers spell them (RFC 9110, section 8.8).
package struct SourceValidators: Hashable, Sendable {
    /// `ETag`, with its quotes.
    package var entityTag: String?
    /// `Last-Modified`.
    package var lastModified: String?

    /// Creates validators.
    package init(entityTag: String? = nil, lastModified: String? = nil) {
        (self.entityTag, self.lastModified) = (entityTag, lastModified)
    }
}

/// The result of one read of a source.
public struct SourceReading: Sendable {
    /// The contents of a reading.
    package enum Content: Hashable, Sendable {
        /// The known state is still current.
        case unchanged
        /// The whole state, as a document.
        case document(ConfigDocument)
        /// The difference to the known text of a document.
        case edit(DividedText.Edit)
        /// The whole state, each entry with its own source, such as a file in a folder.
        case entries(ConfigEntries)
        /// The whole state of each layer, the topmost first.
        case layers([LayerValues])
        /// The whole state, as a server has it. A lower revision than the known one, or another epoch, is rejected as outdated
        /// unless it is a reset: the answer of a server whose history does not contain the known cursor.
        case snapshot(ServerSnapshot, isReset: Bool = false)
        /// The changes since the known cursor.
        case changes(Changeset, epoch: Epoch)
    }

    /// The contents of the source. Errors in a document are in the reading's ``problem``.
    package var content: Content {
        didSet { problem = document?.problem ?? problem }
    }
    /// The time of the last modification, if the source reports it.
    public var modifiedAt: Timestamp?
    /// The text of the document, if the source may return an edit of it.
    package var text: DividedText.Mark?
    /// The validators for the next request, if the source has them.
    package var validators: SourceValidators?
    /// The error in a part of the source while the rest is usable: an unreachable layer, or a file or key that was left out.
    /// The status has it until the next reading.
    ///
    /// The entity tag of such a reading is ignored: the whole source is read again, so that the error is not lost.
    public var problem: ConfigError?
    /// The origin of the values while a part of the source, such as a layer, has not answered yet; `nil` once all have.
    var preliminaryOrigin: ValueOrigin?
    /// The number of bytes received over a network, with headers and compressed bodies, for statistics; 0 if it was not
    /// counted.
    package var bytesReceived = 0
    /// The time until the next read, if the source specifies it; otherwise ``ConfigSource/delivery`` applies.
    public var nextReadAfter: Duration?

    /// Creates a reading of the whole state, as a document.
    ///
    /// - Parameters:
    ///   - document: the state.
    ///   - modifiedAt: the time of the last modification, if the source reports it.
    ///   - entityTag: the mark of this state: the next read finds it in ``SourcePosition/entityTag``.
    ///   - lastModified: the modification date for the next read, as HTTP's header `Last-Modified` has it.
    ///   - problem: the error in a part of the source while the rest is usable; by default the document's own.
    ///   - nextReadAfter: the time until the next read, if the source specifies it.
    public init(
        _ document: ConfigDocument,
        modifiedAt: Timestamp? = nil,
        entityTag: String? = nil,
        lastModified: String? = nil,
        problem: ConfigError? = nil,
        nextReadAfter: Duration? = nil
    ) {
        self.init(.document(document), modifiedAt: modifiedAt, problem: problem, nextReadAfter: nextReadAfter)
        if entityTag != nil || lastModified != nil {
            validators = SourceValidators(entityTag: entityTag, lastModified: lastModified)
        }
    }

    /// The known state is still current.
    public static let unchanged = SourceReading(.unchanged)

    package init(
        _ content: Content,
        modifiedAt: Timestamp? = nil,
        validators: SourceValidators? = nil,
        problem: ConfigError? = nil,
        nextReadAfter: Duration? = nil
    ) {
        (self.content, self.nextReadAfter) = (content, nextReadAfter)
        self.problem = if case .document(let document) = content { problem ?? document.problem } else { problem }
        (self.modifiedAt, self.validators) = (modifiedAt, validators)
    }

    /// The document, if the reading has one.
    public var document: ConfigDocument? {
        if case .document(let document) = content { document } else { nil }
    }
}

extension ConfigError {
    /// The same error, attributed to a source unless it has one.
    func namingIfUnnamed(source name: String) -> ConfigError { source == nil ? naming(source: name) : self }
}

/// The origin of the current values.
public enum ValueOrigin: String, Hashable, Sendable {
    /// There are no values yet.
    case nothing
    /// The program's bundled defaults.
    case bundledDefault
    /// From the source, in an earlier run of a program.
    case cache
    /// From the source.
    case source
}

/// An event reported by a source.
public struct SourceEvent: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// A reason to read.
        case hint(SourceHint)
        /// The connection is alive.
        case alive
        /// Received bytes: the connection is alive.
        case received(bytes: Int)
        /// The source's minimum pause before it is followed again.
        case retry(after: Duration)
        /// An event of a server's stream.
        case server(StreamEvent)
    }

    package let kind: Kind

    /// A reason to read: the contents have changed. A valid reading applies at once; an invalid one may be incomplete
    /// and does not.
    public static let changed = hint(.changed)

    /// A reason to read: no changes for a while, so the contents of a reading are final.
    public static let settled = hint(.settled)

    /// The connection is alive.
    public static let alive = SourceEvent(kind: .alive)

    /// Received bytes, for statistics: the connection is alive.
    public static func received(bytes: Int) -> SourceEvent { SourceEvent(kind: .received(bytes: bytes)) }

    /// The source's minimum pause before it is followed again.
    public static func retry(after pause: Duration) -> SourceEvent { SourceEvent(kind: .retry(after: pause)) }

    package static func hint(_ hint: SourceHint) -> SourceEvent { SourceEvent(kind: .hint(hint)) }

    package static func server(_ event: StreamEvent) -> SourceEvent { SourceEvent(kind: .server(event)) }
}

/// A reason to read a source.
package enum SourceHint: Hashable, Sendable {
    /// The contents have changed.
    case changed
    /// The contents have not changed for a while.
    case settled
}

/// A source of this package that watches files.
package protocol ActiveSource: ConfigSource {
    /// Whether nothing has changed since the last hint that the source has settled. Otherwise such a hint follows.
    ///
    /// Called after a failed reading, during which a writer may have been at work.
    func isSettled() -> Bool

    /// Whether every change leads to a hint at once. Otherwise, if the source itself has to poll, the status of a
    /// ``SourceDelivery/watched`` source is `polling`.
    func reportsEveryChange() -> Bool
}

extension ConfigSource {
    /// The source itself or the one that it wraps, if that is active.
    package var active: (any ActiveSource)? { self as? any ActiveSource ?? wrapped?.active }
}

/// A value that is ignored when its container is compared or hashed.
struct Uncompared<Value: Sendable>: Hashable, Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }

    static func == (left: Uncompared, right: Uncompared) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
}
