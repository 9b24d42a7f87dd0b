public import ConfigModel

/// What a refresh brought.
public enum RefreshOutcome: Hashable, Sendable {
    /// These keys have new values, sorted.
    case changed(keys: [String])
    /// The source holds what is shown already.
    case unchanged
    /// The source could not be read; what is shown stays.
    case failed(ConfigError)
}
