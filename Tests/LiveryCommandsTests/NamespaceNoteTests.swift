// SPDX-License-Identifier: Apache-2.0

import ConfigWire
import Programs
import Testing

@testable import LiveryCommands

struct NamespaceNoteTests {
    private static func note(_ name: String, of present: [String]) -> NamespaceNote {
        NamespaceNote(name: name, server: "S", present: present)
    }

    @Test(arguments: [
        ("shop", "shop", 0), ("shop", "shpo", 1), ("shop", "shp", 1), ("shop", "shoop", 1), ("shop", "shot", 1),
        ("", "abc", 3), ("staging", "production", 9),
    ])
    func mistakesAreCounted(one: String, other: String, distance: Int) {
        #expect(one.distance(to: other) == distance)
        #expect(other.distance(to: one) == distance)
    }

    @Test func theNearestNameIsSuggested() {
        let present = ["production", "shop", "shops", "staging"]
        #expect(Self.note("shpo", of: present).missing == "namespace 'shpo' not found at S; did you mean 'shop'?")
        #expect(Self.note("prodction", of: present).missing?.hasSuffix("'production'?") == true)
        #expect(
            Self.note("xyz", of: present).missing?.hasSuffix("; existing namespaces: production, shop, shops, staging")
                == true
        )
        #expect(Self.note("xyz", of: (1...8).map { "a\($0)0" }).missing?.hasSuffix("a50 and 3 more") == true)
        #expect(Self.note("xyz", of: []).missing == "namespace 'xyz' not found at S")
        #expect(Self.note("shop", of: present).missing == nil)
        #expect(Self.note("default", of: []).missing == nil)
    }
}
