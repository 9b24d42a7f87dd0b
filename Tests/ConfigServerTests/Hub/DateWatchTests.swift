import ConfigModel
import Testing

@testable import ConfigServer

struct DateWatchTests {
    @Test func `the operator is told once when dates leave the clock, and once when they are with it again`() {
        var watch = DateWatch()
        let clock = Timestamp(milliseconds: 1_700_000_000_000)
        #expect(watch.message(for: clock, clock: clock) == nil)
        let far = Timestamp(milliseconds: clock.milliseconds + 120_000)
        #expect(watch.message(for: far, clock: clock)?.contains("ahead of this machine's clock") == true)
        #expect(watch.message(for: far, clock: clock) == nil)
        #expect(watch.message(for: clock, clock: far)?.contains("has leapt ahead") == true)
        #expect(watch.message(for: far, clock: far)?.contains("again") == true)
        #expect(watch.message(for: far, clock: far) == nil)
    }
}
