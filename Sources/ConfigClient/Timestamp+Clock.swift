// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Essentials

extension Timestamp {
    /// The system clock's time.
    public static var now: Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
