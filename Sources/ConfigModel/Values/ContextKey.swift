// SPDX-License-Identifier: Apache-2.0

/// The key under which a provider returns a text that distinguishes evaluation contexts. No document can have such a key.
package enum ContextKey {
    package static let name = "$context"
}
