// SPDX-License-Identifier: Apache-2.0

import RemoteConfig

let service = RemoteConfigService(source: FileSource(path: "config.json"))
let following = Task { await service.run() }
try await service.waitUntilReady(timeout: .seconds(2))

for await current in service.state.observe() {
    for key in current.keys {
        if let value = current[key] { print(key, value) }
    }
}
