// SPDX-License-Identifier: Apache-2.0

import RemoteConfig

let service = RemoteConfigService(source: FileSource(path: "config.json"))
