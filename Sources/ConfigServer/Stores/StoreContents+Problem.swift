internal import ConfigModel

extension StoreContents {
    /// What contradicts itself in the contents, or `nil` if nothing does: revisions beyond the head, ids used twice, and
    /// names that break their rules.
    package var problem: String? {
        var ids: Set<Int64> = []
        for (name, namespace) in namespaces {
            if let problem = ConfigNamespace.problem(in: name) { return "the namespace '\(name)' \(problem)" }
            if namespace.revision > head.revision { return "the namespace '\(name)' is ahead of the store" }
            for (key, entry) in namespace.entries {
                if let problem = ConfigKey.problem(in: key) { return "the key '\(key)' \(problem)" }
                if entry.revision > namespace.revision { return "the key '\(key)' is ahead of its namespace" }
                if entry.id <= 0 || !ids.insert(entry.id).inserted { return "the key '\(key)' has no id of its own" }
            }
        }
        return nil
    }
}
