// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
public import Observing

/// A share of all ids, always the same ids: a feature that 10 % of the users have.
///
/// Whether an id is in depends on nothing but the id, the salt and the percentage, on every platform and in every process.
/// An id that is in at 10 % is in at 20 %. Another salt draws other ids, so that one rollout says nothing about another.
///
/// The hash is SHA-256 over the UTF-8 of the salt, a zero byte, and the UTF-8 of the id. Its first 53 bits, as a fraction of
/// 2^53, are the id's place from 0 to 1; an id is in if its place is below the percentage.
public struct Rollout: Hashable, Sendable {
    /// The share, 0–100.
    public let percent: Double
    /// What sets this rollout apart from others, such as the feature's name.
    public let salt: String

    /// Creates a rollout; a percentage beyond 0–100 counts as the nearest of the two.
    public init(percent: Double, salt: String) {
        self.percent = percent.isNaN ? 0 : min(max(percent, 0), 100)
        self.salt = salt
    }

    /// Whether an id is in.
    public func includes(_ id: String) -> Bool { place(of: id) * 100 < percent }

    /// The id's place among all ids, 0 or more and less than 1.
    public func place(of id: String) -> Double {
        var message = Array(salt.utf8) + [0] + id.utf8
        return Double(SHA256.firstEightBytes(ofHashOf: &message) >> 11) * 0x1p-53
    }
}

extension ConfigCondition {
    /// Holds for a share of all ids, of users, devices or whatever is counted, and always for the same ones. See ``Rollout``.
    public static func rollout(percent: Double, salt: String, id: String) -> ConfigCondition {
        rollout(percent: percent, salt: salt) { id }
    }

    /// The same where the id may change, as when another user signs in; `nil` is never in.
    ///
    /// - Parameters:
    ///   - percent: the share of all ids, 0–100.
    ///   - salt: what makes this share another one than those of other rollouts, such as the name of the feature.
    ///   - signal: what is sent when the id may have changed.
    ///   - id: the id now; it is asked on any thread, and often.
    public static func rollout(
        percent: Double,
        salt: String,
        changes signal: ChangeSignal? = nil,
        id: @escaping @Sendable () -> String?
    ) -> ConfigCondition {
        let rollout = Rollout(percent: percent, salt: salt)
        return ConfigCondition("\(rollout.percent.plainText) % for \(salt)", changes: signal) {
            id().map(rollout.includes) ?? false
        }
    }
}
