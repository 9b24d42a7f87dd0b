internal import Logging
internal import NIOCore

extension ConnectionHandler {
    /// Looks at the clock, once a second.
    func tick(_ now: NIODeadline) {
        if writes.isWatched {
            let patience = TimeAmount.seconds(Int64(limits.stalledSeconds))
            switch writes.look(outstanding: outstandingBytes, at: now, patience: patience) {
            case .nothingOutstanding: break
            case .goesOn: postpone(now)
            case .stalled: return dropStalled()
            }
        }
        if deadline <= now { timedOut() }
    }

    /// What is counted from the last byte of an answer begins anew, as long as the client still takes it.
    private func postpone(_ now: NIODeadline) {
        switch phase {
        case .idle: deadline = now + .seconds(Int64(hasBegunHead ? limits.headSeconds : limits.idleSeconds))
        case .closing: deadline = now + Self.linger
        case .answering, .waiting, .forwarded, .streaming: break
        }
    }

    private func timedOut() {
        switch phase {
        case .idle where hasBegunHead: rejectNext(RequestCheck.tooSlow)
        case .answering, .forwarded(requestEnded: false, _): reject(RequestCheck.tooSlow)
        case .idle, .waiting, .forwarded, .streaming, .closing: context?.close(promise: nil)
        }
    }

    /// Ends the connection of a client that takes nothing, and has the kernel forget what it keeps for it.
    private func dropStalled() {
        if case .streaming = phase { loop.services.metrics.droppedStream() }
        loop.services.refusals.note(
            "a client that took nothing for \(limits.stalledSeconds) s was dropped",
            ["from": "\(address)"]
        )
        // TLS takes a moment to find out that nobody listens to its last word either.
        leaveStream()
        phase = .closing
        input = []
        (writes, deadline) = (WriteProgress(), loop.now + Self.linger)
        outbox.removeAll()
        context?.resetOnClose()
        context?.close(promise: nil)
    }

    /// How many bytes the client has not acknowledged yet; zero if they are all the kernel's, which sends them by itself.
    var outstandingBytes: Int {
        guard let context else { return 0 }
        let buffered = outbox.bytes + ((try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0)
        // Only a connection that is to be closed has to know about the kernel's: they may be lost by that.
        if case .closing = phase { return buffered + context.unacknowledgedBytes }
        return buffered == 0 ? 0 : buffered + context.unacknowledgedBytes
    }
}

extension ConnectionHandler {
    /// Ends the connection so that the last answer arrives: what still comes is read and dropped for a moment.
    func closeGently() {
        leaveStream()
        phase = .closing
        input = []
        deadline = .now() + Self.linger
        writes.wrote(0)
        endOutput()
    }

    /// Says that nothing more comes, once the channel has everything.
    func endOutput() {
        guard outbox.isEmpty, !hasEndedOutput, let context, let wire else { return }
        hasEndedOutput = true
        flushWire()
        guard isInputEnded || isCancelled else { return context.close(mode: .output, promise: nil) }
        // If both ends are closed NIO drops what it still has, so this has to wait for the last byte.
        let written = context.eventLoop.makePromise(of: Void.self)
        wire.writeAndFlush(NIOAny(IOData.byteBuffer(ByteBuffer())), promise: written)
        let box = NIOLoopBound(context, eventLoop: context.eventLoop)
        if isCancelled { return context.close(promise: nil) }
        written.futureResult.whenComplete { _ in box.value.close(promise: nil) }
    }

    /// The server is going down: finishes what is under way, and begins nothing more.
    func drain() {
        isDraining = true
        switch phase {
        case .idle: if input.isEmpty { closeGently() }
        case .streaming: endStream()
        case .answering, .waiting, .forwarded, .closing: break
        }
    }
}
