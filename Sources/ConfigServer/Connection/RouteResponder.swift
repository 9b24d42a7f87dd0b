// SPDX-License-Identifier: Apache-2.0

internal import NIOCore

/// The responder for requests that are not answered from memory.
protocol RouteResponder {
    /// The head of a request has come.
    func check(_ call: inout RouteCall, _ fields: RequestFields)

    /// The reply to a complete request that has not been refused, if neither a wait nor a task is needed for it.
    func quickReply(to call: RouteCall) -> Reply?

    /// A request is complete, and has not been refused.
    ///
    /// - Returns: the work, which is cancelled if the connection ends before it is done.
    func answer(_ call: RouteCall, for connection: ConnectionHandler) -> Task<Void, Never>?
}

/// The routes, for the connections of one event loop.
///
/// Short work is done on the loop itself: no thread is woken for it, and a loop is woken once for all of its writers whose
/// commit has ended. Other work is done by the threads that tasks share.
struct ServerRoutes: RouteResponder {
    let services: ServerServices
    private let executor: LoopExecutor

    init(_ services: ServerServices, on eventLoop: any EventLoop) {
        self.services = services
        executor = LoopExecutor(eventLoop: eventLoop)
    }

    func check(_ call: inout RouteCall, _ fields: RequestFields) { call.check(fields, services) }

    func quickReply(to call: RouteCall) -> Reply? {
        let reply = call.quickReply(services)
        if let reply { call.count(reply, services.metrics) }
        return reply
    }

    func answer(_ call: RouteCall, for connection: ConnectionHandler) -> Task<Void, Never>? {
        let (services, eventLoop) = (services, executor.eventLoop)
        let connection = NIOLoopBound(connection, eventLoop: eventLoop)
        return Task(executorPreference: call.isShort ? executor : nil) {
            let reply = await call.reply(services)
            call.count(reply, services.metrics)
            if eventLoop.inEventLoop {
                connection.value.endRoute(reply)
            } else {
                eventLoop.execute { connection.value.endRoute(reply) }
            }
        }
    }
}

/// Runs tasks on an event loop.
private final class LoopExecutor: TaskExecutor {
    let eventLoop: any EventLoop

    init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
