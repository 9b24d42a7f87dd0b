// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigRules
public import ConfigWire
package import Dispatch
public import Essentials

/// A place that configuration comes from.
///
/// A source reads when it is asked to, and reports what it notices in between. It neither keeps a state nor decides
/// what is shown or when to try again: that is ``RemoteConfigService``'s part.
///
/// A source of your own needs a ``name``, a ``delivery`` and ``read(after:)``; everything else has a default.
/// ``DocumentFormat`` reads JSON and YAML. The service's clock decides when a source is polled; a source that pauses by
/// itself takes an `any Clock<Duration>`, so that a test can pass a `TestClock`.
public protocol ConfigSource: Sendable {
    /// The source as the user named it, such as `config.json`.
    var name: String { get }

    /// The text that distinguishes the source from every other, in every process and whatever the current folder is:
    /// values are cached under its hash. It must contain everything that the values depend on, such as an address, a
    /// tenant or a query, and no secret in plain text.
    ///
    /// The default is the type and the ``name``, which suffices where no two sources of the type have the same name.
    var identity: String { get }

    /// Whether the values depend on the context of the service (``RemoteConfigService/setContext(_:)``), because the source
    /// evaluates. Such a source finds the context in ``SourcePosition/context``; values are shown and cached for the
    /// context that they were read in and no other. The default is whether those of a layer do;
    /// where it is `false`, the context stays in the program.
    var dependsOnContext: Bool { get }

    /// How changes of the source become known.
    var delivery: SourceDelivery { get }

    /// The sources that this one combines, the topmost first; the default is none.
    ///
    /// A service follows and caches each of them as if it were alone, and shows for each key the value of the first one
    /// that has it. Of this source it uses the ``name``, the ``identity`` and ``dependsOnContext``, and reads the
    /// layers instead. A source that wraps a ``LayeredSource`` and leaves its values alone returns `base.layers`.
    var layers: [any ConfigSource] { get }

    /// The content of the source, if the program itself carries it: it is shown from the start and not cached. The default
    /// is `nil`.
    var bundled: ConfigDocument? { get }

    /// The address whose host and port identify the source in metrics and traces. The default is the ``name``, where
    /// that is an address of `http` or `https`.
    var address: URL? { get }

    /// Reads what the source holds now. A read that takes long ends early when its task is cancelled.
    ///
    /// - Parameter known: what is known already. A source may answer ``SourceReading/Content/unchanged`` or with changes
    ///   alone, or pass over it and answer with everything.
    /// - Throws: `ConfigError`. Its code says how things stand: `unreachable`, `unavailable` and `notFound` are waited
    ///   for, `unauthorized` and `forbidden` are tried again with longer pauses, all else is a fault in what the source
    ///   says. Its `retryAfter` is respected.
    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading

    /// Reports what happens at the source, until the task is cancelled or the source has nothing more to report.
    ///
    /// Returning and throwing both mean that the connection has ended; it is opened again later.
    ///
    /// - Parameters:
    ///   - known: what is known already, so that what has happened since can be reported.
    ///   - receive: called with one event after another. It returns when the event has taken effect, so a source
    ///     that reports too much is slowed down.
    func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError)

    /// Brings up to date what the source itself keeps of other sources, because somebody asks for it
    /// (``RemoteConfigService/refresh(timeout:)``). A reading after that has what they hold now.
    ///
    /// - Returns: whether there are any. The default does nothing and returns `false`.
    func refresh() async -> Bool

    /// Tells that the program has been set offline or online (``RemoteConfigService/setOffline(_:)``): for a source
    /// that keeps services of its own. The default does nothing.
    func setOffline(_ isOffline: Bool) async

    /// Whether nothing has moved since the last hint that the source has settled. Otherwise such a hint follows.
    ///
    /// Asked after a bad reading, which may have met a writer half-way. The default is always `true`.
    func isSettled() -> Bool

    /// Whether every change leads to a hint at once. Where it does not, because the source itself has to ask from time
    /// to time, the status of a source that is ``SourceDelivery/watched`` says `polling`. The default is always `true`.
    func reportsEveryChange() -> Bool
}

/// Receives what a source reports.
public typealias SourceReceiver = @Sendable (SourceEvent) async -> Void

extension ConfigSource {
    /// The type and the name.
    public var identity: String { "\(Self.self) \(name)" }

    /// Whether the values of a layer depend on it; `false` for a source without layers.
    public var dependsOnContext: Bool { layers.contains { $0.dependsOnContext } }

    /// None: for a source that reads its values itself.
    public var layers: [any ConfigSource] { [] }

    /// `nil`: for a source outside the program.
    public var bundled: ConfigDocument? { nil }

    /// The ``name`` as an address.
    public var address: URL? { URL(string: name) }

    /// Returns at once: for a source that has to be asked.
    public func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {}

    /// Does nothing: for a source that keeps nothing of others.
    public func refresh() async -> Bool { false }

    /// Nothing: for a source that does what it is asked for and no more.
    public func setOffline(_ isOffline: Bool) async {}

    /// `true`: for a source whose readings are never half-way.
    public func isSettled() -> Bool { true }

    /// `true`: for a source that either reports or is asked.
    public func reportsEveryChange() -> Bool { true }

    /// Reads everything, as one who knows nothing.
    public func read() async throws(ConfigError) -> SourceReading {
        try await read(after: SourcePosition())
    }
}

/// How changes of a source become known.
public enum SourceDelivery: Hashable, Sendable {
    /// By hints of a source on this machine: it is read when it hints, and ``ConfigSource/follow(after:_:)`` lasts.
    case watched
    /// By asking, this often unless a reading says otherwise.
    case polled(every: Duration)
    /// By a stream of events; while it is down, by asking this often.
    case streamed(pollingEvery: Duration)
}

/// What is known of a source already.
public struct SourcePosition: Hashable, Sendable {
    /// Where the state that is shown stands in the history of a server.
    public var cursor: Cursor?
    /// What the last reading was marked with.
    public var validators: SourceValidators?
    /// The position in a server's history that is shown, where the whole state must be read again. An older answer is
    /// refused.
    public var seen: Cursor?
    /// The context to read in, which everything above belongs to as well; `nil` for no context, and for a source whose
    /// values do not depend on it (``ConfigSource/dependsOnContext``).
    public var context: EvaluationContext?
    /// The queue that the service runs on; `nil` if no service asks. A source that reports from this queue wakes no other
    /// thread. It is no part of what makes two positions differ.
    package var queue: DispatchQueue? {
        get { uncomparedQueue.value }
        set { uncomparedQueue.value = newValue }
    }
    private var uncomparedQueue = Uncompared<DispatchQueue?>(nil)

    /// Creates a position; the default knows nothing.
    public init(
        cursor: Cursor? = nil,
        validators: SourceValidators? = nil,
        seen: Cursor? = nil,
        context: EvaluationContext? = nil
    ) {
        (self.cursor, self.validators, self.seen, self.context) = (cursor, validators, seen, context)
    }
}

/// The marks of a representation, as HTTP's headers spell them (RFC 9110, section 8.8).
public struct SourceValidators: Hashable, Sendable {
    /// `ETag`, with its quotes.
    public var entityTag: String?
    /// `Last-Modified`.
    public var lastModified: String?

    /// Creates validators.
    public init(entityTag: String? = nil, lastModified: String? = nil) {
        (self.entityTag, self.lastModified) = (entityTag, lastModified)
    }
}

/// What one read of a source brought.
public struct SourceReading: Sendable {
    /// What the source says about its state.
    public enum Content: Hashable, Sendable {
        /// What is known is so still.
        case unchanged
        /// Everything, as a document.
        case document(ConfigDocument)
        /// Everything, each entry with a source of its own: that of a file in a folder, or of a layer.
        case entries(ConfigEntries)
        /// Everything, as a server keeps it. A lower revision than the known one, or another epoch, is refused as outdated
        /// unless it is a reset: the answer of a server whose history does not contain the known cursor.
        case snapshot(ServerSnapshot, isReset: Bool = false)
        /// What has changed since the cursor that is known.
        case changes(Changeset, epoch: Epoch)
    }

    /// What the source says. What is wrong with a document is the reading's ``problem``.
    public var content: Content {
        didSet { problem = document?.problem ?? problem }
    }
    /// When the source says that it was last modified, if it says.
    public var modifiedAt: Timestamp?
    /// What to ask with next time, if the source marks its states.
    public var validators: SourceValidators?
    /// What is wrong with a part of the source, while the rest is good and counts: a layer that was not reached, a file or
    /// a key that was left out. The status shows it until the next reading.
    ///
    /// The ``validators`` of such a reading are passed over: the source is asked for everything again, so that what is
    /// wrong with it is not forgotten.
    public var problem: ConfigError?
    /// Where the values come from while a part of the source has not answered yet, such as a layer; `nil` once all have.
    var preliminaryOrigin: ValueOrigin?
    /// The layers that the values are from, if there are any.
    var layers: [LayerValues] = []
    /// How many bytes have come over a network, heads and compressed bodies, for statistics; 0 where nobody counts.
    package var bytesReceived = 0
    /// When to ask again, if the source says; otherwise as its ``ConfigSource/delivery`` says.
    public var nextReadAfter: Duration?

    /// Creates a reading.
    public init(
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

    /// The document, if that is what was read.
    public var document: ConfigDocument? {
        if case .document(let document) = content { document } else { nil }
    }
}

/// Where the values that are shown came from.
public enum ValueOrigin: String, Hashable, Sendable {
    /// From nowhere: there are none yet.
    case nothing
    /// From what the program carries with it.
    case bundledDefault
    /// From the source, in an earlier run of a program.
    case cache
    /// From the source.
    case source
}

/// What a source reports.
public enum SourceEvent: Hashable, Sendable {
    /// A reason to read.
    case hint(SourceHint)
    /// The connection is alive.
    case alive
    /// So many bytes have come: the connection is alive.
    case received(bytes: Int)
    /// The source asks for this pause, at least, before it is followed again.
    case retry(after: Duration)
    /// An event of a server's stream.
    case server(StreamEvent)
}

/// A reason to read a source.
public enum SourceHint: Hashable, Sendable {
    /// Something moved. A good reading counts at once; a bad one may be a writer's half-way state and does not.
    case changed
    /// Nothing has moved for a while: whatever a reading says now is so.
    case settled
}
