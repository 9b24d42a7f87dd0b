// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import Files

/// Where the values of a source are cached, in one context if they depend on it.
struct CachePlace: Sendable {
    let cache: ConfigCache
    /// The name of the source, for entries and messages.
    let source: String
    private let identity: String
    private let dependsOnContext: Bool
    /// The source, and the context if that matters.
    let key: CacheKey
    /// The file itself: a link to it stays one.
    let path: String
    /// The name of the file in the cache.
    private let name: String

    /// - Parameter context: The context, where the values depend on it.
    init(in cache: ConfigCache, source: String, identity: String, context: EvaluationContext? = nil) {
        (self.cache, self.source, self.identity) = (cache, source, identity)
        dependsOnContext = context != nil
        key = cache.key(ofSource: identity, in: context)
        name = cache.path(ofSource: identity, in: context)
        path = name.resolvingLinks(toNowhere: 40)
    }

    /// The place of a source in a context.
    init(in cache: ConfigCache, for source: any ConfigSource, _ context: EvaluationContext?) {
        let context = source.dependsOnContext ? context ?? EvaluationContext() : nil
        self.init(in: cache, source: source.name, identity: source.identity, context: context)
    }

    /// Removes the oldest files of the contexts of the source, beyond the maximum number.
    func removeOldContexts() throws(FileError) {
        if dependsOnContext { try cache.removeOldContexts(ofSource: identity, besides: name) }
    }
}
