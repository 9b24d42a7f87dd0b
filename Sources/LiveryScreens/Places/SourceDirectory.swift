// SPDX-License-Identifier: Apache-2.0

package import RemoteConfig

/// A source that the screens can follow.
package struct FollowedSource: Sendable {
    let service: RemoteConfigService
    let access: any SourceOperator

    /// - Parameter access: the access of the user, to read more than the values and to edit.
    package init(_ service: RemoteConfigService, access: any SourceOperator) {
        (self.service, self.access) = (service, access)
    }
}

/// The sources that the screens can switch to.
package struct SourceDirectory: Sendable {
    /// The source that is shown first, as on the command line.
    let current: String
    let recent: RecentSources
    /// Connects to a source, or throws an error whose description completes "cannot follow …:".
    let open: @Sendable (String) throws -> FollowedSource
    let check: @Sendable (String) async -> SourceCheck
    /// Reads a source once.
    let contents: OtherSources

    package init(
        current: String,
        recent: RecentSources,
        open: @escaping @Sendable (String) throws -> FollowedSource,
        check: @escaping @Sendable (String) async -> SourceCheck,
        contents: @escaping OtherSources
    ) {
        (self.current, self.recent, self.open) = (current, recent, open)
        (self.check, self.contents) = (check, contents)
    }
}
