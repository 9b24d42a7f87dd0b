internal import ConfigModel
internal import ConfigStore
internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Why a server cannot listen where it is to.
enum ListenError {
    /// The error with what to do about it; the error itself where it is of something else.
    static func explained(_ error: any Error, at address: ListenAddress) -> any Error {
        guard let advice = advice(on: error) else { return error }
        return ConfigError(.unreadable, advice.replacing("ADDRESS", with: address.description), underlying: error)
    }

    private static func advice(on error: any Error) -> String? {
        if error is SocketAddressError { return notOurs }
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE: return "ADDRESS is in use by another program; stop it, or choose another with --address"
        case EACCES: return "this user may not listen on ADDRESS; choose a port above 1023 with --address"
        case EADDRNOTAVAIL: return notOurs
        default: return nil
        }
    }

    private static let notOurs = "ADDRESS is no address of this machine; choose one with --address"
}
