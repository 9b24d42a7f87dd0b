// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import RemoteConfig

/// `menu http://127.0.0.1:3000 [token file]`: prints the menu, and again for each guest, who presses Return.
@main
struct App {
    static func main() async throws {
        guard CommandLine.arguments.count > 1 else { return print("usage: menu SOURCE [TOKEN-FILE]") }
        let file = CommandLine.arguments.dropFirst(2).first
        // The file is read for each request, so a token that is replaced there counts at once.
        let tokens = TokenProvider { _ async throws(ConfigError) in
            guard let file, let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
            return try BearerToken(text)
        }
        let menu = try Menu(
            source: SourceLocator(CommandLine.arguments[1]).source(tokens: tokens),
            cache: ConfigCache(
                app: "org.example.menu",
                version: "1.0.0",
                environment: ProcessInfo.processInfo.environment
            )
        )
        let following = Task { await menu.service.run() }
        do {
            try await menu.service.waitUntilReady(timeout: .seconds(2))
        } catch {
            print("this is the menu of last time, because \(error)")
        }
        _ = await menu.nextGuest()
        print(menu.lines.joined(separator: "\n"))
        for await _ in guests() {
            let changed = await menu.nextGuest()
            print((menu.lines + changed.map { "new: \($0)" }).joined(separator: "\n"))
        }
        following.cancel()
        await following.value
    }

    /// Each Return on the keyboard.
    private static func guests() -> AsyncStream<Void> {
        let (guests, arrival) = AsyncStream.makeStream(of: Void.self)
        Thread.detachNewThread {
            while readLine() != nil { arrival.yield() }
            arrival.finish()
        }
        return guests
    }
}
