public import ConfigModel

extension NamespaceState {
    /// The digest that the namespace had at a revision, as far as the recent changes reach.
    ///
    /// - Parameter revision: a revision of this state's epoch at which the namespace once was.
    public func digest(at revision: UInt64) -> ConfigDigest? {
        revision == self.revision ? digest : recent.digest(before: revision)
    }
}
