// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The event of OpenFeature's protocol (OFREP) upon which a client requests the flags again: `refetchEvaluation`.
package struct OFREPEvent {
    private let cursor: RevisionCursor
    private let tag: String
    private let time: Timestamp

    /// - Parameters:
    ///   - tag: the entity tag of the rules alone, since the stream does not know the client's context.
    ///   - time: when the flags changed.
    package init(_ cursor: RevisionCursor, tag: String, time: Timestamp) {
        (self.cursor, self.tag, self.time) = (cursor, tag, time)
    }

    /// The event's bytes in the stream, its empty line included.
    package var encoded: [UInt8] {
        let data = JSONWriter.object { object in
            object.member("type") { $0.string("refetchEvaluation") }
            object.member("etag") { $0.string(tag) }
            object.member("lastModified") { $0.number(time.milliseconds / 1000) }
        }
        return Array("event: message\nid: \(cursor)\ndata: ".utf8) + data + Array("\n\n".utf8)
    }

    static let schema = WireSchema.object(
        "OFREPEvent",
        [
            .optional("event", WireSchema(["const": "message"])), .optional("id", .text),
            .optional(
                "data",
                .text.described(
                    "JSON with `type` (`refetchEvaluation`), `etag` and `lastModified`, in seconds since 1970."
                )
            ),
        ],
        "An event; the body is a sequence of events."
    )
}
