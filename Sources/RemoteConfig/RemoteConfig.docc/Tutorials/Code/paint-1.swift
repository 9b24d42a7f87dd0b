import RemoteConfig

let service = SyncService(source: FileSource(path: "config.json"))
