// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import ConfigHub

struct RecentAnswersTests {
    @Test func answersAreKeptWithinALimitAndTheLatestAlways() {
        let answers = RecentAnswers()
        let body = ByteBuffer(repeating: 1, count: 100_000)
        for number in 0..<50 {
            let request = Array("\(number)".utf8)
            answers.keep((body, "tag \(number)"), to: request)
            #expect(answers[request]?.tag == "tag \(number)")
        }
        let kept = (0..<50).filter { answers[Array("\($0)".utf8)] != nil }.count
        #expect((1...10).contains(kept))
        answers.keep((ByteBuffer(repeating: 1, count: 300_000), "long"), to: [])
        #expect(answers[[]] == nil)
    }
}
