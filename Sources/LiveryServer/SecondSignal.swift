import Foundation
import Logging
import UnixSignals

/// What operators see of a shutdown: the first signal is said, a second one ends the program at once.
enum SecondSignal {
    /// Watches for signals until the task is cancelled.
    ///
    /// The first is the service group's, which lets the server finish. Everything acknowledged is on disk at any time,
    /// so that whoever does not want to wait loses nothing; the parent sees the signal as the cause.
    static func endsProcess(_ logger: Logger) async {
        var isEnding = false
        for await signal in await UnixSignalsSequence(trapping: .sigterm, .sigint) {
            guard isEnding else {
                logger.notice("shutting down on \(signal); a second signal ends at once")
                isEnding = true
                continue
            }
            let number = signal == .sigint ? SIGINT : SIGTERM
            Foundation.signal(number, SIG_DFL)
            // To the process: threads of the pool block signals.
            kill(getpid(), number)
        }
    }
}
