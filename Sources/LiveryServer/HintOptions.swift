import ArgumentParser
import ConfigModel
import ConfigServer
import ConfigStore

/// How several servers on one store tell each other of commits.
struct HintOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where to hear by UDP of commits of other servers on the store (default: nowhere).",
            valueName: "host:port"
        )
    )
    var hintAddress: String?

    @Option(
        help: ArgumentHelp(
            "Another server's hint address, to be told of commits; may be repeated.",
            valueName: "host:port"
        )
    )
    var hintPeer: [String] = []

    /// - Returns: `nil` if there are to be no hints.
    /// - Throws: a `ValidationError` if an address is none.
    func settings(_ settings: Settings) throws(ValidationError) -> ReplicaHints.Settings? {
        let named = settings.text(nil, "hint.peers")?.split(separator: ",").map(String.init) ?? []
        let peers = try (hintPeer.isEmpty ? named : hintPeer).map(Self.address)
        if let text = settings.text(hintAddress, "hint.address") {
            return ReplicaHints.Settings(address: try Self.address(text), peers: peers)
        }
        guard peers.isEmpty else {
            throw ValidationError("Hints need both: --hint-address to hear them, and --hint-peer to tell them.")
        }
        return nil
    }

    private static func address(_ text: String) throws(ValidationError) -> ListenAddress {
        guard let address = ListenAddress(text.trimmingPrefix(" ").description) else {
            throw ValidationError("A hint's address is host:port, such as 10.0.0.2:3001, not '\(text)'.")
        }
        return address
    }
}
