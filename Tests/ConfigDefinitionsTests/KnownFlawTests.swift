// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Configuration
import Foundation
import Observing
import TestSupport
import Testing

/// Each known flaw of two earlier designs, C and D, as a check that Livery passes and the flawed design, built here in small, fails.
///
/// That C's state is unsynchronised is checked by `Scripts/test-sanitizers thread`, which has an unsynchronised repository as well.
struct KnownFlawTests {
    // MARK: C

    /// Conditions and dynamic providers never tell of a change.
    @Test func aChangeOfAConditionOrADynamicLinkIsTold() {
        func isTold(_ chain: (ConfigDefinition<Int>, Box<Int>, ChangeSignal) -> ConfigDefinition<Int>) -> Bool {
            let (number, signal, recorder) = (Box(0), ChangeSignal(), Recorder<Int>())
            let repository = ConfigRepository(sources: .empty())
            let subscription = repository.listen(
                to: chain(ConfigDefinition("n", default: 0), number, signal),
                recorder.record
            )
            number.value = 1
            signal.send()
            subscription.end()
            return recorder.values == [1]
        }
        #expect(isTold { $0.dynamic(changes: $2) { [number = $1] in number.value } })
        #expect(isTold { $0.when("it is one", changes: $2, return: 1) { [number = $1] in number.value == 1 } })
        #expect(!isTold { definition, number, _ in definition.dynamic { number.value } })
        #expect(!isTold { definition, number, _ in definition.when(return: 1) { number.value == 1 } })
    }

    /// A change of any stored default anywhere fires every definition.
    @Test func aChangeFiresOnlyWhoseValueChanged() throws {
        /// One notification for the whole store, as `UserDefaults` has it, passed on to all who listen.
        final class FiringAll: Sendable {
            let listeners = Box<[@Sendable () -> Void]>([])
            func changed() { for listener in listeners.value { listener() } }
        }
        func fired(
            _ listen: (MemoryStore, ConfigDefinition<Int>, @escaping @Sendable () -> Void) -> Void,
            _ end: () -> Void
        )
            throws -> [String]
        {
            let (store, recorder) = (MemoryStore(), Recorder<String>())
            for id in ["a", "b", "c"] {
                listen(store, ConfigDefinition(id, default: 0).stored(key: id)) { recorder.record(id) }
            }
            try store.set(1, forKey: "b")
            end()
            return recorder.values
        }
        let subscriptions = Box<[Subscription]>([])
        let livery = try fired { store, definition, hear in
            let repository = ConfigRepository(sources: .empty(store: store))
            let subscription = repository.listenKeepingAlive(to: definition) { _ in hear() }
            subscriptions.change { $0.append(subscription) }
        } _: {
        }
        #expect(livery == ["b"])
        let flawed = FiringAll()
        let all = try fired { _, _, hear in
            flawed.listeners.change { $0.append(hear) }
        } _: {
            flawed.changed()
        }
        #expect(all == ["a", "b", "c"])
        for subscription in subscriptions.value { subscription.end() }
    }

    /// Listeners cannot be removed.
    @Test func aListenerThatHasEndedHearsNothing() throws {
        func heard(after end: (Subscription?) -> Void) throws -> [Int] {
            let (store, recorder) = (MemoryStore(), Recorder<Int>())
            let repository = ConfigRepository(sources: .empty(store: store))
            let definition = ConfigDefinition("n", default: 0).stored(key: "n")
            let subscription = repository.listen(to: definition, recorder.record)
            try store.set(1, forKey: "n")
            end(subscription)
            try store.set(2, forKey: "n")
            subscription.end()
            return recorder.values
        }
        #expect(try heard { $0?.end() } == [1])
        // Without a token there is nothing to end.
        #expect(try heard { _ in } == [1, 2])
    }

    /// Ids default to random.
    @Test func theSameDefinitionIsKnownAgain() {
        func isKnownAgain(_ define: () -> ConfigDefinition<Int>) -> Bool {
            let repository = ConfigRepository(sources: .empty())
            repository.add(define().static(1))
            return repository[define()] == 1
        }
        #expect(isKnownAgain { ConfigDefinition("n", default: 0) })
        #expect(!isKnownAgain { ConfigDefinition(UUID().uuidString, default: 0) })
    }

    /// An absent optional overrides the links below it.
    @Test func anAbsentOptionalLeavesTheDecisionToTheLinksBelow() {
        /// Asks for a value of an optional type, and takes nothing for nil.
        struct Flattened: ConfigLink {
            let store: MemoryStore
            var name: String { "flattened" }
            func answer(from sources: ConfigSources) -> Override<Int?> {
                if case .integer(let number) = store.value(forKey: "n") { return .value(number) }
                return .value(nil)
            }
        }
        let below = ConfigDefinition<Int?>("n", default: nil).static(7)
        let (empty, null) = (MemoryStore(), MemoryStore(["n": .null]))
        #expect(below.stored(key: "n", in: empty).value(from: .empty()) == 7)
        #expect(below.stored(key: "n", in: null).value(from: .empty()) == nil)
        #expect(below.link(Flattened(store: empty)).value(from: .empty()) != 7)
    }

    /// The remote provider is a stub.
    @Test func theRemoteValueIsReallyAsked() {
        struct Stub: ConfigLink {
            var name: String { "remote" }
            func answer(from sources: ConfigSources) -> Override<String> { .none }
        }
        let sources = ConfigSources.remote(InMemoryProvider(values: ["app.title": "Cats"]))
        let title = ConfigDefinition("title", default: "Dogs")
        #expect(title.remote("app.title").value(from: sources) == "Cats")
        #expect(title.link(Stub()).value(from: sources) == "Dogs")
    }

    // MARK: D

    /// `#FFB6C1` is read as a colour with alpha and comes out wrong.
    @Test func aColourOfSixDigitsHasNoAlpha() throws {
        /// Takes the first byte of four for alpha, as if there were eight digits.
        let withAlpha = String.configConverter.mapped(typeName: "colour") { text -> RGBColor? in
            UInt32(text.dropFirst(), radix: 16).map {
                RGBColor(red: UInt8($0 >> 24 & 0xFF), green: UInt8($0 >> 16 & 0xFF), blue: UInt8($0 >> 8 & 0xFF))
            }
        } from: {
            $0.description
        }
        let pink = RGBColor(red: 0xFF, green: 0xB6, blue: 0xC1)
        #expect(try RGBColor.configConverter.value(of: .string("#FFB6C1")) == pink)
        #expect(try withAlpha.value(of: .string("#FFB6C1")) != pink)
    }

    /// Arrays are split on commas.
    @Test(arguments: [["a,b", "c"], [","], ["", ""], []])
    func anElementWithACommaStaysOne(_ elements: [String]) throws {
        let split = String.configConverter.mapped(typeName: "array") { text -> [String]? in
            text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        } from: {
            $0.joined(separator: ",")
        }
        func survives(_ converter: ValueConverter<[String]>) throws -> Bool {
            try converter.value(of: JSONValue(text: converter.json(of: elements).text)) == elements
        }
        #expect(try survives([String].configConverter))
        #expect(try survives(split) == (elements == ["", ""]))
    }

    /// The initial value is frozen when the tweak is built.
    @Test func theInitialValueIsThatOfThisMoment() throws {
        func follows(_ build: (@escaping @Sendable () -> Int) -> TweakDefinition<Int>) throws -> Bool {
            let (number, tweaks) = (Box(1), TweakRepository())
            tweaks.add(build { number.value })
            number.value = 2
            return tweaks.tweak(id: "n")?.initialValue == .integer(2)
        }
        #expect(try follows { TweakDefinition<Int>.numbered(initial: $0) })
        #expect(
            try !follows { value in
                TweakDefinition("n", category: "A", section: "B", name: "C", initial: value())
            }
        )
    }
}
