// SPDX-License-Identifier: Apache-2.0

extension ActiveLine.Span {
    /// The span in the selected row.
    package var selected: Self {
        var span = self
        switch tone {
        case .block: break
        case .found: span.tone = .selectedFound
        default: span.tone = .selected
        }
        return span
    }

    /// The span with parts of it marked.
    ///
    /// - Parameters:
    ///   - marks: the parts, as offsets in UTF-8, in order.
    ///   - mark: the tone of the parts.
    package func marked(_ marks: [Range<Int>], as mark: Tone = .found) -> [Self] {
        if marks.isEmpty { return [self] }
        var (spans, start): ([Self], String.Index) = ([], text.startIndex)
        func add(_ offset: Int, _ tone: Tone) {
            var end = text.utf8.index(text.startIndex, offsetBy: min(offset, text.utf8.count))
            // Not between a letter and its accent.
            while String.Index(end, within: text) == nil { end = text.utf8.index(after: end) }
            guard start < end else { return }
            spans.append(Self(String(text[start..<end]), tone, target: target))
            start = end
        }
        for part in marks {
            add(part.lowerBound, tone)
            add(part.upperBound, mark)
        }
        add(.max, tone)
        return spans
    }
}

extension Array {
    /// The spans in exactly so many columns, cut with an ellipsis or filled with blanks.
    package func fitted<Target>(columns: Int) -> [Element] where Element == ActiveLine<Target>.Span {
        var rest = columns
        var fitted: [Element] = []
        fitted.reserveCapacity(count + 1)
        for span in self where rest > 0 {
            var part = span
            part.text = span.text.truncated(toColumns: rest)
            fitted.append(part)
            rest -= part.text.columnWidth
            if part.text != span.text { break }
        }
        fitted.append(Element(String(repeating: " ", count: Swift.max(rest, 0))))
        return fitted
    }

    package func columnWidth<Target>() -> Int where Element == ActiveLine<Target>.Span {
        reduce(0) { $0 + $1.text.columnWidth }
    }
}
