// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig

/// The values that a program itself carries, as a layer: they are available at once and never change.
struct BundledSource: ConfigSource {
    /// The source named in the entries.
    let name: String
    /// There is nothing to wait for.
    let delivery = SourceDelivery.watched
    private let document: ConfigDocument

    /// Creates a source of a document.
    init(_ document: ConfigDocument, name: String = "bundled default") {
        (self.document, self.name) = (document, name)
    }

    /// The document.
    var bundled: ConfigDocument? { document }

    /// The document.
    func read(after known: SourcePosition) async throws(ConfigError) -> SourceReading {
        SourceReading(.document(document))
    }

    /// Requests a single read of the document.
    func follow(after known: SourcePosition, _ receive: SourceReceiver) async throws(ConfigError) {
        await receive(.hint(.settled))
    }
}
