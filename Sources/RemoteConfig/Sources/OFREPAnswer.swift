// SPDX-License-Identifier: Apache-2.0

internal import ConfigClient
internal import ConfigModel
internal import ConfigWire
internal import HTTPTransport

extension OFREPFlags {
    /// The flags as entries of a source.
    func entries(from source: String, at now: Timestamp) -> ConfigEntries {
        var entries = ConfigEntries()
        for (key, value) in values {
            entries[key] = ConfigEntry(value: value, source: source, changedAt: now)
        }
        return entries
    }

    /// The error of the first flag without a usable value.
    var problem: ConfigError? {
        guard let first = failures.first else { return nil }
        let (key, reason) = (first.key.excerpt(ofScalars: 130), first.reason.excerpt(ofScalars: 300))
        return ConfigError(.unsupportedValue, "the flag '\(key)' has no value: \(reason)").standing(for: failures.count)
    }
}

extension OFREPFailure {
    /// The error of a server that refuses the request itself; `nil` if it does not.
    static func refusal(in response: HTTPResponse) -> ConfigError? {
        guard response.head.status == 400, response.head.headers.mediaType == "application/json",
            // Anything else is an answer that the status alone explains.
            let failure = try? OFREPFailure(json: response.body)
        else { return nil }
        return ConfigError(.rejected, "the server rejected the context: \(failure.reason.excerpt(ofScalars: 300))")
    }
}
