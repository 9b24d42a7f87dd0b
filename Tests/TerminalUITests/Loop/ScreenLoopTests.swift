// SPDX-License-Identifier: Apache-2.0

import Dispatch
import TerminalUI
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ScreenLoopTests {
    private let driver = WatchedDriver()

    /// A loop that carries out the effects `end` and `post N`, and keeps a list of all.
    private func makeLoop(_ performed: @escaping @MainActor (String) -> Void = { _ in }) -> ScreenLoop<NumberModel> {
        ScreenLoop(model: NumberModel(), driver: driver) { effect, loop in
            performed(effect)
            let words = effect.split(separator: " ")
            if words.first == "end" { loop.end() }
            if words.first == "post", let number = words.last.flatMap({ Int($0) }) { loop.post(.number(number)) }
        }
    }

    /// Ends the loop so long after the next frame that another would have come.
    private func endSomeFramesAfterTheNext(_ loop: ScreenLoop<NumberModel>) {
        driver.onFrame = { [driver] _ in
            driver.onFrame = nil
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(60)) {
                MainActor.assumeIsolated { loop.end() }
            }
        }
    }

    @Test func theFirstFrameWaitsAsLongAsItMay() async {
        let loop = makeLoop()
        driver.onFrame = { _ in loop.end() }
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(30)) {
            MainActor.assumeIsolated { loop.post(.number(1)) }
        }
        await loop.run(firstFrameWithin: .seconds(3))
        #expect(driver.texts == ["1"])
    }

    @Test func aBurstMakesFewFramesAndEndsOnTheLastState() async {
        let loop = makeLoop()
        driver.onFrame = { if $0 == "1000" { loop.end() } }
        Task.detached {
            for number in 1...1000 { await loop.post(.number(number)) }
        }
        let start = ContinuousClock.now
        await loop.run()
        let intervals = (ContinuousClock.now - start) / ScreenLoop<NumberModel>.frameInterval
        #expect(driver.texts.last == "1000")
        #expect(driver.texts.count <= Int(intervals) + 2)
        #expect(loop.model.numbers == Array(1...1000))
    }

    @Test func inputDoesNotWaitForTheFramesOfChanges() async {
        let loop = makeLoop()
        var isBefore = false
        driver.onFrame = { [driver] _ in
            guard driver.texts.count == 1 else { return }
            Task {
                loop.post(.number(1))
                loop.post(.number(2), isInput: true)
                DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(4)) {
                    MainActor.assumeIsolated {
                        isBefore = driver.texts.last == "2"
                        loop.end()
                    }
                }
            }
        }
        await loop.run()
        #expect(isBefore)
    }

    @Test func framesKeepTheirDistance() async {
        let loop = makeLoop()
        var moments: [ContinuousClock.Instant] = []
        driver.onFrame = { _ in
            moments.append(.now)
            if moments.count == 10 { loop.end() } else { Task { loop.post(.number(1)) } }
        }
        await loop.run()
        let distances = zip(moments, moments.dropFirst()).map { $1 - $0 }
        #expect(distances.count == 9)
        #expect(distances.allSatisfy { $0 >= ScreenLoop<NumberModel>.frameInterval - .milliseconds(1) })
    }
}

extension ScreenLoopTests {
    @MainActor
    private final class Numbers {
        var newest = 0
    }

    /// A loop that reads the number that it shows.
    private func makeReadingLoop(_ reads: @escaping @MainActor () -> Int) -> ScreenLoop<NumberModel> {
        ScreenLoop(model: NumberModel(), driver: driver, read: { .number(reads()) }, perform: { _, _ in })
    }

    @Test func changesAreReadOncePerFrame() async {
        let numbers = Numbers()
        let loop = makeReadingLoop {
            numbers.newest += 1
            return numbers.newest
        }
        for _ in 1...1000 { loop.invalidate() }
        endSomeFramesAfterTheNext(loop)
        await loop.run()
        #expect(driver.texts == ["1"])
        #expect(numbers.newest == 1)
    }

    @Test func frameShowsTheNewestState() async {
        let numbers = Numbers()
        let loop = makeReadingLoop { numbers.newest }
        loop.invalidate()
        loop.post(.number(7))
        numbers.newest = 5
        endSomeFramesAfterTheNext(loop)
        await loop.run()
        #expect(driver.texts == ["5"])
        #expect(loop.model.numbers == [7, 5])
    }

    @Test func nothingIsReadAfterTheEnd() async {
        let loop = makeReadingLoop {
            Issue.record("read after the end")
            return 0
        }
        loop.invalidate()
        loop.end()
        await loop.run()
        #expect(driver.texts == [])
    }

    @Test func effectsAreCarriedOutInOrder() async {
        var performed: [String] = []
        let loop = makeLoop { performed.append($0) }
        loop.post(.ask(["a", "b"]))
        loop.post(.ask([]))
        loop.post(.ask(["c", "end"]))
        await loop.run()
        #expect(performed == ["a", "b", "c", "end"])
    }

    @Test func nothingIsDoneAfterTheEnd() async {
        var performed: [String] = []
        let loop = makeLoop { performed.append($0) }
        loop.post(.ask(["end", "after"]))
        loop.post(.ask(["later"]))
        loop.post(.number(1))
        await loop.run()
        #expect(performed == ["end"])
        #expect(driver.texts == [])
    }

    @Test func postsOfEffectsPrecedeLaterEvents() async {
        let loop = makeLoop()
        loop.post(.ask(["post 1", "post 2"]))
        loop.post(.number(3))
        loop.post(.ask(["post 4"]))
        loop.post(.number(5))
        endSomeFramesAfterTheNext(loop)
        await loop.run()
        #expect(loop.model.numbers == [1, 2, 3, 4, 5])
        #expect(driver.texts == ["5"])
    }

    @Test func deferredWorkBeginsAfterTheFirstFrame() async {
        let loop = makeLoop()
        Task { [driver] in
            #expect(await loop.hasStarted())
            #expect(driver.texts == ["none"])
            loop.end()
        }
        await loop.run(firstFrameWithin: .milliseconds(20))
        #expect(await loop.hasStarted() == false)
    }

    @Test func deferredWorkDoesNotBeginAfterTheEnd() async {
        let loop = makeLoop()
        let waiting = Task { await loop.hasStarted() }
        await Task.yield()
        loop.end()
        #expect(await waiting.value == false)
    }
}

extension ScreenLoopTests {
    /// Runs a loop until a frame shows the text.
    private func run(_ loop: ScreenLoop<NumberModel>, until text: String) async {
        driver.onFrame = { if $0 == text { loop.end() } }
        await loop.run()
    }

    @Test func aTimerIsUpOnceAndOnlyTheNewestCounts() async {
        let loop = makeLoop()
        loop.post(.wait(ScreenTimer(number: 7, delay: .milliseconds(20))))
        loop.post(.wait(ScreenTimer(number: 8, delay: .milliseconds(40))))
        await run(loop, until: "8")
        #expect(driver.texts == ["none", "8"])
        #expect(loop.model.timer == nil)
    }

    /// The alarm of the first timer rings while the second one waits.
    @Test func anEarlierAlarmDoesNotEndALaterTimer() async throws {
        let loop = makeLoop()
        loop.post(.wait(ScreenTimer(number: 7, delay: .milliseconds(30))))
        var start: ContinuousClock.Instant?
        driver.onFrame = { text in
            if text == "8" { return loop.end() }
            guard start == nil else { return }
            start = .now
            loop.post(.wait(ScreenTimer(number: 8, delay: .milliseconds(90))))
        }
        await loop.run()
        #expect(ContinuousClock.now - (try #require(start)) >= .milliseconds(90))
    }

    @Test func aTimerThatIsTakenBackNeverComes() async {
        let loop = makeLoop()
        loop.post(.wait(ScreenTimer(number: 7, delay: .milliseconds(30))))
        driver.onFrame = { [driver] _ in
            driver.onFrame = nil
            loop.post(.wait(nil))
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(90)) {
                MainActor.assumeIsolated { loop.end() }
            }
        }
        await loop.run()
        #expect(loop.model.numbers == [])
    }

    @Test func modelIsNotifiedOfASlowTerminal() async {
        let loop = makeLoop()
        driver.memory.isBehind = true
        loop.post(.wait(ScreenTimer(number: 7, delay: .milliseconds(10))))
        await run(loop, until: "-1")
        #expect(loop.model.numbers == [-1])
    }
}
