internal import NIOCore
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1

/// What Hummingbird needs to serve a connection. It is made for the first request that is for a route: most connections, and
/// all streams, have none, and it takes more memory than everything else of theirs.
struct RouteExchange {
    typealias Parts = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    private var promise: EventLoopPromise<Parts?>?

    /// What is exchanged, once it begins; `nil` if it never does, so that no task waits for the end of a stream.
    mutating func parts(on eventLoop: any EventLoop) -> EventLoopFuture<Parts?> {
        let promise = eventLoop.makePromise(of: Parts?.self)
        self.promise = promise
        return promise.futureResult
    }

    /// Begins the exchange, unless it has begun.
    mutating func begin(on channel: any Channel) throws {
        guard let promise else { return }
        try channel.pipeline.syncOperations.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        let parts = try Parts(
            wrappingChannelSynchronously: channel,
            configuration: .init(isOutboundHalfClosureEnabled: true)
        )
        self.promise = nil
        promise.succeed(parts)
    }

    /// No request will be for a route any more.
    mutating func end() {
        promise?.succeed(nil)
        promise = nil
    }
}
