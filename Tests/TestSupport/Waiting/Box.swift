// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A value that closures of any thread may read and change.
package final class Box<Value: Sendable>: Sendable {
    private let content: Mutex<Value>

    package init(_ value: Value) { content = Mutex(value) }

    package var value: Value {
        get { content.withLock(\.self) }
        set { content.withLock { $0 = newValue } }
    }

    package func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        content.withLock { body(&$0) }
    }
}
