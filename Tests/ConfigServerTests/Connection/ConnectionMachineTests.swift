// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import Testing

@testable import ConfigServer

/// The phases of a connection, played without a channel and a clock.
struct ConnectionMachineTests {
    /// A machine with its clock, and the effects that a handler would give its actions.
    struct Play {
        var machine: ConnectionMachine
        var now = NIODeadline.uptimeNanoseconds(1_000_000_000_000)
        var canAnswer = true
        /// The actions, in a few words each.
        var log: [String] = []
        let start: NIODeadline

        init(limits: ServerLimits = ServerLimits()) {
            start = now
            machine = ConnectionMachine(ConnectionRules(limits: limits, origins: SameOriginPolicy()), at: now)
        }

        /// The seconds until the client is dropped.
        var secondsLeft: Int64 { (machine.deadline - now).nanoseconds / 1_000_000_000 }

        mutating func receive(_ parts: HTTPServerRequestPart...) {
            for part in parts {
                machine.received(part)
                work()
            }
        }

        /// A whole request without a body.
        mutating func request(_ target: String, _ method: HTTPMethod = .GET, _ fields: HTTPHeaders = [:]) {
            receive(.head(Self.head(target, method, fields)), .end(nil))
        }

        mutating func fail(_ error: HTTPParserError) {
            machine.received(error)
            work()
        }

        mutating func endInput(outstanding: Int = 0) {
            if let action = machine.endInput(outstanding: outstanding) { perform(action) }
            work()
        }

        mutating func drain(outstanding: Int = 0) {
            if let action = machine.drain(outstanding: outstanding, at: now) { perform(action) }
        }

        mutating func pass(seconds: Int64, outstanding: Int = 0) {
            for _ in 0..<seconds {
                now = now + .seconds(1)
                if let action = machine.tick(outstanding: outstanding, at: now) { perform(action) }
            }
        }

        /// A route answers.
        mutating func respond() {
            machine.beginResponse()
            endAnswer()
        }

        mutating func endAnswer() {
            if !machine.endAnswer(at: now) { perform(.close) }
            work()
        }

        mutating func work() {
            while let action = machine.next(canAnswer: canAnswer, hasTokens: false, at: now) { perform(action) }
        }

        private mutating func perform(_ action: ConnectionMachine.Action) {
            switch action {
            case .begin(_, let isRouted, let awaitsContinue):
                if isRouted { log.append("route head") }
                if awaitsContinue { log.append("100") }
            case .refuse(_, let problem): reject(problem)
            case .answer(_, .config):
                log.append("answer")
                if !machine.endAnswer(at: now) { perform(.close) }
            case .answer(_, .events):
                log.append("stream")
                machine.beginStream()
            case .answer(_, .reply): log.append("reply")
            case .route(.head): log.append("route head")
            case .route(.body(let bytes)): log.append("route \(bytes.readableBytes)")
            case .route(.end): log.append("route end")
            case .reject(let problem, let hasRequest):
                if !hasRequest { log.append("no request") }
                reject(problem)
            case .endStream:
                log.append("end stream")
                perform(.close)
            case .close:
                machine.close(at: now)
                if let end = machine.endOutput() { log.append("close \(end)") }
            case .drop:
                log.append("drop")
                machine.drop(at: now)
            case .disconnect: log.append("disconnect")
            }
        }

        private mutating func reject(_ problem: Problem) {
            switch machine.reject() {
            case .ignore: log.append("ignore \(problem.status.code)")
            case .close: perform(.close)
            case .answer:
                log.append("\(problem.status.code)")
                if !machine.endAnswer(at: now) { perform(.close) }
            }
        }

        static func head(_ target: String, _ method: HTTPMethod = .GET, _ fields: HTTPHeaders = [:]) -> HTTPRequestHead
        {
            var headers = fields
            if !headers.contains(name: "host") { headers.add(name: "host", value: "localhost") }
            return HTTPRequestHead(version: .http1_1, method: method, uri: target, headers: headers)
        }
    }

    private static let config = "/v1/default/config"
    private static let body = ByteBuffer(string: "0123456789")

    @Test func pipelinedRequestsWaitForTheAnswerBeforeThem() {
        var play = Play()
        play.request("/health")
        play.request(Self.config)
        #expect(play.log == ["route head", "route end"])
        play.canAnswer = false
        play.respond()
        #expect(play.log.count == 2)
        play.canAnswer = true
        play.work()
        #expect(play.log.last == "answer")
    }

    @Test func readingPausesWhileRequestsWait() {
        var play = Play()
        let mayReadFirst = play.machine.input.mayRead()
        #expect(mayReadFirst)
        play.request("/health")
        play.receive(.head(Play.head(Self.config)))
        let mayRead = play.machine.input.mayRead()
        let isReleasedEarly = play.machine.input.releaseRead()
        #expect(!mayRead && !isReleasedEarly)
        play.respond()
        let isReleased = play.machine.input.releaseRead()
        let isReleasedTwice = play.machine.input.releaseRead()
        #expect(isReleased && !isReleasedTwice)
    }

    @Test func aClosingConnectionEndsWithTheClient() {
        for (outstanding, last) in [(0, "disconnect"), (7, "close half")] {
            var play = Play()
            play.request(Self.config, .GET, ["connection": "close"])
            play.endInput(outstanding: outstanding)
            #expect(play.log.last == last)
        }
    }

    @Test func aStreamEndsWithTheClientOrTheServer() {
        var play = Play()
        play.request("/v1/default/events")
        play.pass(seconds: 100_000)
        #expect(play.log == ["stream"])
        play.drain()
        #expect(play.log == ["stream", "end stream", "close afterLastByte"])
        var left = Play()
        left.request("/v1/default/events")
        left.endInput()
        #expect(left.log == ["stream", "end stream", "close afterLastByte"])
    }

    /// The first request of a new client may be on its way.
    @Test func aNewConnectionIsIdleAfterASecond() {
        var play = Play()
        #expect(play.machine.idleSince(at: play.now) == nil)
        play.pass(seconds: 1)
        #expect(play.machine.idleSince(at: play.now) == play.now)
        play.request("/v1/default/history")
        #expect(play.machine.idleSince(at: play.now) == nil)
        play.respond()
        #expect(play.machine.idleSince(at: play.now) == play.now)
    }

    @Test func shutdownClosesIdleConnectionsFirst() {
        var idle = Play()
        idle.drain()
        #expect(idle.log == ["disconnect"])
        for (outstanding, last) in [(0, "close afterLastByte"), (7, "close half")] {
            var answered = Play()
            answered.request("/v1/default/history")
            answered.respond()
            answered.machine.bytesArrived(ByteBuffer(string: "\r\n"))
            answered.drain(outstanding: outstanding)
            #expect(answered.log.last == last)
        }
        var begun = Play()
        begun.machine.bytesArrived(ByteBuffer(string: "GET / HT"))
        begun.drain()
        #expect(begun.log == ["close half"])
        var play = Play()
        play.request("/health")
        play.drain()
        #expect(play.log == ["route head", "route end"])
        play.respond()
        #expect(play.log.last == "close half")
        var cut = Play()
        cut.receive(.head(Play.head("/health", .POST, ["content-length": "20"])))
        cut.drain()
        cut.fail(.invalidEOFState)
        #expect(cut.log == ["route head", "503", "close half"])
    }

    @Test func shutdownDoesNotWaitForWhatNobodyReads() {
        var stream = Play()
        stream.request("/v1/default/events")
        stream.machine.bytesArrived(ByteBuffer(string: "\r\n"))
        stream.drain()
        stream.pass(seconds: 1, outstanding: 7)
        #expect(stream.log.last == "disconnect")
        var closing = Play()
        closing.request(Self.config, .GET, ["connection": "close"])
        closing.drain()
        #expect(closing.log.last == "close half")
        closing.pass(seconds: 1)
        #expect(closing.log.last == "disconnect")
        var answer = Play()
        answer.request("/health")
        answer.drain()
        answer.respond()
        answer.pass(seconds: 20, outstanding: 7)
        #expect(answer.log.last == "close half", "a client that receives an answer has time for it")
    }

    @Test func slowRequestsAreRejectedAndSilentOnesClosed() {
        var silent = Play()
        silent.pass(seconds: 10)
        #expect(silent.log == ["disconnect"])
        var slow = Play()
        slow.machine.bytesArrived(ByteBuffer(string: "GET / HT"))
        slow.machine.bytesDecoded(at: slow.now)
        slow.pass(seconds: 10)
        #expect(slow.log == ["no request", "408", "close half"])
        var paused = Play()
        paused.receive(.head(Play.head("/v1/default/entries/a", .PUT, ["content-length": "20"])))
        paused.pass(seconds: 9)
        paused.receive(.body(Self.body))
        paused.pass(seconds: 9)
        #expect(paused.log == ["route head", "route 10"])
        paused.pass(seconds: 1)
        #expect(paused.log.suffix(2) == ["408", "close half"])
        var working = Play()
        working.request("/health")
        working.pass(seconds: 100_000)
        #expect(working.log == ["route head", "route end"])
    }

    @Test func emptyLinesBetweenRequestsAreIgnored() {
        var play = Play()
        play.request(Self.config)
        play.machine.bytesArrived(ByteBuffer(string: "\r\n\r\n"))
        play.machine.bytesDecoded(at: play.now)
        #expect(play.secondsLeft == 75)
        play.pass(seconds: 75)
        #expect(play.log == ["answer", "disconnect"])
    }

    @Test func stalledClientsAreDroppedAndSlowOnesAreNot() {
        var play = Play()
        play.machine.wrote(1000)
        play.pass(seconds: 30, outstanding: 900)
        #expect(play.log.isEmpty)
        play.pass(seconds: 1, outstanding: 900)
        #expect(play.log == ["drop"])
        var slow = Play()
        slow.request(Self.config, .GET, ["connection": "close"])
        slow.machine.wrote(1000)
        for outstanding in stride(from: 1000, to: 0, by: -1) { slow.pass(seconds: 1, outstanding: outstanding) }
        #expect(slow.log == ["answer", "close half"])
        slow.pass(seconds: 3)
        #expect(slow.log.last == "disconnect")
    }

    @Test func anEarlyAnswerEndsTheConnection() {
        var early = Play()
        early.receive(.head(Play.head("/v1/default/entries/a", .PUT, ["content-length": "20"])))
        early.respond()
        #expect(early.log == ["route head", "close half"])
        var cancelled = Play()
        cancelled.receive(.head(Play.head("/v1/default/entries/a", .PUT, ["content-length": "20"])))
        let isInputOnly = cancelled.machine.cancelInput()
        cancelled.respond()
        #expect(isInputOnly && cancelled.log == ["route head", "close whole"])
        var idle = Play()
        let isIdleInputOnly = idle.machine.cancelInput()
        #expect(!isIdleInputOnly)
    }

    @Test func aWaitingAnswerIsFollowedByTheNext() {
        var play = Play()
        play.receive(.head(Play.head(Self.config)))
        play.machine.wait()
        play.receive(.end(nil))
        play.pass(seconds: 1000)
        #expect(play.log.isEmpty && play.machine.isWaiting)
        play.machine.routeComplete()
        #expect(play.machine.isRouted && play.machine.deadline == .distantFuture)
    }
}
