import TestSupport

/// An etcd of one member with data of its own.
struct Etcd {
    let process: ServerProcess

    init() throws {
        let folder = try TemporaryDirectory(prefix: "bench")
        let port = try freePort()
        let client = "http://127.0.0.1:\(port)"
        let peer = "http://127.0.0.1:\(try freePort())"
        process = try ServerProcess(
            "etcd",
            port: port,
            in: folder,
            Command(
                "etcd",
                [
                    "--data-dir", folder.path(to: "data"), "--log-level", "error",
                    "--listen-client-urls", client, "--advertise-client-urls", client,
                    "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
                    "--initial-cluster", "default=\(peer)",
                ]
            ),
            answering: "/health"
        )
    }
}
