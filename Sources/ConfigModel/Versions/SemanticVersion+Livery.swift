extension SemanticVersion {
    /// The version of Livery: of both programs and of what they say about themselves to others.
    package static let livery = SemanticVersion(1, 0, 0)
}
