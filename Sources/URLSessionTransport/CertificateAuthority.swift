// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
    internal import Foundation
    internal import HTTPTransport
    internal import Security

    extension TransportSettings.Material {
        /// Whether one of these certificates, and no other, vouches for a server. The host name has been set by the connection.
        func hasSigned(_ trust: SecTrust) -> Bool {
            guard let anchors = try? certificates, !anchors.isEmpty,
                SecTrustSetAnchorCertificates(trust, anchors as CFArray) == errSecSuccess,
                SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess
            else { return false }
            return SecTrustEvaluateWithError(trust, nil)
        }

        private var certificates: [SecCertificate] {
            get throws {
                let text =
                    switch self {
                    case .file(let path): try String(contentsOfFile: path, encoding: .utf8)
                    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
                    }
                return text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().compactMap { part in
                    let base64 = part.components(separatedBy: "-----END CERTIFICATE-----")[0]
                    let data = Data(base64Encoded: base64, options: .ignoreUnknownCharacters)
                    return data.flatMap { SecCertificateCreateWithData(nil, $0 as CFData) }
                }
            }
        }
    }
#endif
