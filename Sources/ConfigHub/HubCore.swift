// SPDX-License-Identifier: Apache-2.0

internal import ConfigStore
internal import Logging

/// The store and the memory of a hub, and what waits between them: its other parts work on these.
struct HubCore: Sendable {
    let store: any EntryStore
    let memory: HubMemory
    let queue: PublishQueue
    let limits: NamespaceHub.Limits
    let logger: Logger
}
