// SPDX-License-Identifier: Apache-2.0

internal import Basics

/// The text of a document that was read, so that of the next text only what differs is read.
///
/// A plain document is divided at members of its object, some kilobytes apart. The members that both texts begin and end with
/// are not read again; those between them are read in both. Where a whole reading may report an error, there is no edit.
package struct DividedText: Sendable {
    /// The identity of a text, by which an ``Edit`` finds the entries that were read from it.
    package final class Mark: Sendable {}

    /// The identity of this text.
    package let mark: Mark
    private let bytes: [UInt8]
    /// The places at which the text is divided: that after the opening brace, and then those of members, in order.
    private let places: [JSONScanner.Place]
    /// The names of the members that are branches: no entry has them as its key.
    private let branches: Set<ExactString>
    private let distance: Int

    /// The minimum distance between two places at which a text is divided, in bytes.
    static let distance = 4096
    /// A shorter text is read as a whole, within a millisecond.
    private static let minimumBytes = 64 * 1024
    /// At most this part of a text is read again; more of it takes as long as a whole reading.
    private static let maximumShare = 8

    /// Reads a document of JSON as `ConfigDocument` does.
    ///
    /// - Parameters:
    ///   - minimum: The number of bytes from which on the text is returned.
    ///   - distance: The minimum distance between two places at which the text is divided, in bytes.
    /// - Returns: The document, and its text if parts of the next one can be read alone.
    package static func read(
        _ json: [UInt8],
        source: String,
        atLeast minimum: Int = minimumBytes,
        distance: Int = distance
    ) throws(ConfigError) -> (document: ConfigDocument, text: DividedText?) {
        var text: DividedText?
        let document = try ConfigDocument(
            text: json,
            source: source,
            distance: distance,
            scanner: { () throws(ConfigError) in try JSONScanner(json) },
            didRead: { reader in
                guard json.count >= minimum, !reader.isExact, reader.isSound else { return }
                text = DividedText(mark: Mark(), json, reader.places, Set(reader.branches.keys), distance)
            }
        )
        return (document, text)
    }

    private init(
        mark: Mark,
        _ bytes: [UInt8],
        _ places: [JSONScanner.Place],
        _ branches: Set<ExactString>,
        _ distance: Int
    ) {
        (self.mark, self.bytes, self.places, self.branches) = (mark, bytes, places, branches)
        self.distance = distance
    }
}

extension DividedText {
    /// The difference between two texts.
    package struct Edit: Sendable {
        /// The text before, and the one after.
        let base, next: Mark
        /// The keys of the members that were read again, as they were before.
        let formerKeys: [String]
        /// The entries of these members.
        let entries: KeyedValues<ConfigDocument.Entry>
        /// The names of the branches among these members.
        let branches: [String]
        /// The former place of these members.
        let replaced: Range<TextLocation>
        /// The place of the member after them, and its former place.
        let end: (former: TextLocation, next: TextLocation)

        /// The place of something that was after these members.
        func moved(_ place: TextLocation) -> TextLocation { place.moved(from: end.former, to: end.next) }
    }

    /// Compares the text with the next one.
    ///
    /// - Returns: The difference and the next text; `nil` if that must be read as a whole.
    package func edit(to next: [UInt8]) -> (edit: Edit, text: DividedText)? {
        let prefix = bytes.span.commonPrefix(with: next.span)
        let suffix = bytes.span.commonSuffix(with: next.span, atMost: min(bytes.count, next.count) - prefix)
        let first = places.lowerBound { $0.offset <= prefix } - 1
        guard first >= 0, next.count <= ConfigDocument.maximumBytes else { return nil }
        let last = max(places.lowerBound { $0.offset < bytes.count - suffix }, 1)
        let (start, end) = (places[first], last < places.count ? places[last].offset : nil)
        let growth = next.count - bytes.count
        let nextEnd = end.map { $0 + growth }
        guard (nextEnd ?? next.count) - start.offset <= next.count / Self.maximumShare,
            let former = members(of: bytes, start, before: end), let read = members(of: next, start, before: nextEnd)
        else { return nil }
        let others = branches.subtracting(former.reader.branches.keys)
        let names = read.reader.document.keys.map { ExactString($0) } + read.reader.branches.keys
        guard others.isDisjoint(with: names) else { return nil }
        let edit = Edit(
            base: mark,
            next: Mark(),
            formerKeys: former.reader.document.keys,
            entries: read.reader.document.entries,
            branches: read.reader.branches.keys.map(\.string),
            replaced: start.location..<former.end,
            end: (former.end, end == nil ? former.end : read.end)
        )
        let moved = places[last...].map {
            JSONScanner.Place(offset: $0.offset + growth, location: edit.moved($0.location))
        }
        let text = DividedText(
            mark: edit.next,
            next,
            places[..<first] + read.reader.places + moved,
            others.union(read.reader.branches.keys),
            distance
        )
        return (edit, text)
    }

    /// Reads members; `nil` if they are not valid, or do not end where another one begins.
    private func members(
        of text: [UInt8],
        _ start: JSONScanner.Place,
        before end: Int?
    ) -> (reader: DocumentReader, end: TextLocation)? {
        guard var scanner = try? JSONScanner(text, from: start, to: end ?? text.count),
            let reader = try? DocumentReader(members: &scanner, before: end, distance: distance),
            reader.isSound
        else { return nil }
        return (reader, scanner.location)
    }
}

extension DocumentReader {
    /// Whether no key was left out, and no other member can make it a document of the exact form.
    fileprivate var isSound: Bool { leftOut.isEmpty && document.entries.index(of: ExactForm.version) == nil }
}

extension TextLocation {
    /// The place in a text of which something before it was replaced, so that the place of the rest has moved.
    fileprivate func moved(from former: TextLocation, to next: TextLocation) -> TextLocation {
        let isInSameLine = line == former.line
        return TextLocation(
            line: line + next.line - former.line,
            column: isInSameLine ? column + next.column - former.column : column
        )
    }
}

extension DividedText.Edit: Hashable {
    /// Equal when they lead to the same text.
    package static func == (left: DividedText.Edit, right: DividedText.Edit) -> Bool { left.next === right.next }

    /// Hashes the identity of the text.
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(next)) }
}
