import Crypto
import TestSupport
import Testing

@testable import ConfigModel

struct SHA256Tests {
    @Test func agreesWithALibraryOnMessagesOfEveryLengthAroundABlock() {
        var generator = SeededGenerator(seed: 7)
        for length in 0...260 {
            let message = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            var hash = ConfigModel.SHA256()
            hash.update(message)
            #expect(hash.finish() == Array(Crypto.SHA256.hash(data: message)))
        }
    }
}
