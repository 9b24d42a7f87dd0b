// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import RemoteConfigTesting

@testable import RemoteConfig

extension ServiceSettings {
    /// Settings by a test's clock.
    init(clock: TestClock, isOffline: Bool = false) {
        self.init()
        (self.isOffline, self.clock, notificationCenter) = (isOffline, clock, NotificationCenter())
        (jitter, now) = ({ 0.5 }, { clock.date })
    }
}

extension FetchedState {
    /// The state that follows another one when a document with these values is read.
    init(_ values: KeyValuePairs<String, EntryValue>, after snapshot: EntrySnapshot) throws(ConfigError) {
        let (document, time) = (try ConfigDocument(values: values), Timestamp(milliseconds: 0))
        self.init(snapshot.updated(with: document, from: "test", at: time), CacheMark(), at: time)
    }
}
