// SPDX-License-Identifier: Apache-2.0

internal import Basics
package import HTTPTransport

#if os(Linux) || os(macOS)
    internal import CurlTransport
#else
    internal import URLSessionTransport
#endif

extension HTTPClient {
    /// A client over the library of this platform: libcurl on Linux and macOS, URLSession elsewhere.
    package convenience init(
        allowInsecureHosts: Set<String> = [],
        maximumBody: Int = 8 * 1024 * 1024,
        settings: TransportSettings = TransportSettings()
    ) {
        self.init(allowInsecureHosts: allowInsecureHosts, maximumBody: maximumBody, settings: settings) {
            () throws(OperationFailure) in
            #if os(Linux) || os(macOS)
                try CurlLoop()
            #else
                URLSessionConnector()
            #endif
        }
    }
}
