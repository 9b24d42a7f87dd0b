import TerminalUI
import Testing

@MainActor
struct MemoryDriverTests {
    @Test func itKeepsTheFramesThatItIsShown() {
        let driver = MemoryDriver(size: Size(columns: 2, rows: 1), depth: .ansi8, repertoire: .ascii)
        let frames = [Style.plain, .marked].map { Grid(size: driver.size, base: $0) }
        for frame in frames { driver.present(frame) }
        #expect(driver.frames == frames)
        #expect(driver.depth == .ansi8)
        #expect(driver.repertoire == .ascii)
    }

    @Test func itReportsEventsWhileItIsStarted() {
        let driver = MemoryDriver(size: Size(columns: 2, rows: 1))
        var events: [TerminalEvent] = []
        driver.send(.hangUp)
        driver.start { events.append($0) }
        #expect(driver.isStarted)
        driver.send(.input(.key(Key(.enter))))
        driver.send(.resized(Size(columns: 9, rows: 9)))
        driver.stop()
        driver.send(.hangUp)
        #expect(!driver.isStarted)
        #expect(events == [.input(.key(Key(.enter))), .resized(Size(columns: 9, rows: 9))])
        #expect(driver.size == Size(columns: 9, rows: 9))
    }
}
