// SPDX-License-Identifier: Apache-2.0

/// A URI or a relative reference, in its components (RFC 3986, appendix B). It is compared as bytes.
struct URIReference {
    private var scheme: ArraySlice<UInt8>?
    private var authority: ArraySlice<UInt8>?
    private var path: ArraySlice<UInt8> = []
    private var query: ArraySlice<UInt8>?
    /// The part after `#`, still percent-encoded; `nil` without one.
    private(set) var fragment: ArraySlice<UInt8>?

    /// The reference without any component, which refers to its base.
    init() {}

    init(_ text: String) {
        var rest = Array(text.utf8)[...]
        fragment = URISyntax.cut(&rest, at: "#")
        query = URISyntax.cut(&rest, at: "?")
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), URISyntax.isScheme(rest[..<colon]) {
            scheme = rest[..<colon]
            rest = rest[(colon + 1)...]
        }
        if rest.starts(with: "//".utf8) {
            let hierarchy = rest.dropFirst(2)
            let end = hierarchy.firstIndex(of: UInt8(ascii: "/")) ?? hierarchy.endIndex
            authority = hierarchy[..<end]
            rest = hierarchy[end...]
        }
        path = rest
    }

    /// The URI without its fragment, as text.
    var resource: String {
        var bytes: [UInt8] = []
        if let scheme { bytes += scheme + [UInt8(ascii: ":")] }
        if let authority { bytes += "//".utf8 + authority }
        bytes += path
        if let query { bytes += [UInt8(ascii: "?")] + query }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The target of this reference, seen from a base (RFC 3986, section 5.2.2).
    func resolved(against base: URIReference) -> URIReference {
        var target = self
        if scheme != nil {
            target.path = Self.withoutDotSegments(path)
            return target
        }
        target.scheme = base.scheme
        if authority != nil {
            target.path = Self.withoutDotSegments(path)
            return target
        }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.first == UInt8(ascii: "/") {
            target.path = Self.withoutDotSegments(path)
        } else {
            target.path = Self.withoutDotSegments(base.merged(with: path))
        }
        return target
    }

    /// Section 5.2.3.
    private func merged(with relative: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if authority != nil, path.isEmpty { return [UInt8(ascii: "/")] + relative }
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return relative }
        return path[...slash] + relative
    }

    /// Section 5.2.4. A path without a slash at its beginning has nothing to remove.
    private static func withoutDotSegments(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let slash = UInt8(ascii: "/")
        guard path.first == slash else { return path }
        var kept: [ArraySlice<UInt8>] = []
        let segments = path.dropFirst().split(separator: slash, omittingEmptySubsequences: false)
        for (position, segment) in segments.enumerated() {
            let isLast = position == segments.count - 1
            switch segment {
            case _ where segment.elementsEqual(".".utf8): if isLast { kept.append([]) }
            case _ where segment.elementsEqual("..".utf8):
                _ = kept.popLast()
                if isLast { kept.append([]) }
            default: kept.append(segment)
            }
        }
        return kept.reduce(into: []) { $0 += [slash] + $1 }
    }
}
