// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzKit

@testable import TerminalUI

extension FuzzTarget {
    /// Entries of the terminal database, of any capabilities, as they are compiled here for the variable `TERMINFO`.
    ///
    /// Curses reads a compiled entry as intended, with any colour depth, and a profile can be made of it. Bytes that were not
    /// compiled are not tested: curses trusts them.
    static let terminfo = FuzzTarget("terminfo") { bytes in
        var input = FuzzInput(bytes)
        let entry = TerminfoEntry(of: &input)
        let choice = ColorChoice.allCases[input.number(below: ColorChoice.allCases.count)]
        for other in [entry] + ColorDepth.allCases.map({ entry.with($0) }) {
            guard let again = load(other) else {
                // Curses limits the size of an entry, and rejects terminals that are generic or print on paper.
                let isUnfit = other.flag(6) || other.flag(7)
                require(isUnfit || other.compiled.count > 4096, "curses refuses \(other.compiled)")
                continue
            }
            require(again.isSame(as: other), "\(other) becomes \(again)")
            let profile = TerminalProfile(choice: choice, environment: ["TERM": other.names[0]]) { _ in again }
            require(profile.depth == profile.entry?.depth, "\(profile.depth) with an entry of another depth")
        }
    }

    @MainActor
    private static func load(_ entry: TerminfoEntry) -> TerminfoEntry? {
        // Not setenv(3), which leaks every value.
        guard let next = strdup("TERMINFO=" + entry.variable) else { return nil }
        putenv(next)
        free(variable)
        variable = next
        return TerminfoEntry(named: entry.names[0])
    }

    @MainActor private static var variable: UnsafeMutablePointer<CChar>?
}

extension TerminfoEntry {
    /// An entry with a name and as many flags, numbers and strings as the input has, limited to those of curses.
    fileprivate init(of input: inout FuzzInput) {
        let name = input.short().map { UInt8(ascii: "a") + $0 % 26 }.prefix(40)
        let flags = input.short().prefix(37).map { !$0.isMultiple(of: 2) }
        let numbers = (0..<input.number(below: 34)).map { _ in input.number(below: 0x8000) }
        let strings = (0..<input.number(below: 395)).map { _ in input.short().filter { $0 != 0 } }
        self.init(
            names: ["t" + String(decoding: name, as: UTF8.self)],
            flags: flags,
            numbers: numbers.map { $0 == 0x7FFF ? nil : Int32($0) },
            strings: strings.map { $0.isEmpty ? nil : $0 }
        )
    }

    /// Whether all capabilities are the same; lists may be longer by some that are not there.
    fileprivate func isSame(as other: TerminfoEntry) -> Bool {
        let flags = (0..<37).allSatisfy { self.flag($0) == other.flag($0) }
        // The size of the screen curses takes from elsewhere.
        let numbers = (0..<33).allSatisfy { [0, 2].contains($0) || self.number($0) == other.number($0) }
        let strings = (0..<394).allSatisfy { string(at: $0) == other.string(at: $0) }
        return flags && numbers && strings && extendedFlags == other.extendedFlags
    }

    fileprivate func flag(_ place: Int) -> Bool { place < flags.count && flags[place] }

    private func number(_ place: Int) -> Int32? { place < numbers.count ? numbers[place] : nil }
}
