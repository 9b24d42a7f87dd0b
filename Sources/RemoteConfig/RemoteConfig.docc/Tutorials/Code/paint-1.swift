// SPDX-License-Identifier: Apache-2.0

import RemoteConfig

let service = SyncService(source: FileSource(path: "config.json"))
