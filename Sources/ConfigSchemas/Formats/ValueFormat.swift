// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// The formats of the keyword `format`, which is an assertion here, not only an annotation.
public enum ValueFormat: String, CaseIterable, Sendable {
    /// A colour as `RGBColor` reads it: `#RRGGBB`, `RRGGBB` or `#RGB`.
    case color
    /// A URI with a scheme by RFC 3986, not a relative reference.
    case uri
    /// A version by Semantic Versioning 2.0.0, as `SemanticVersion` reads it.
    case semver
    /// A moment by RFC 3339, such as `2026-11-23T08:30:00Z`; a leap second only where one can be.
    case dateTime = "date-time"
    /// A day by RFC 3339, such as `2026-11-23`, which the calendar has.
    case date
    /// A mailbox by RFC 5321, section 4.1.2, of ASCII characters.
    case email
    /// A UUID by RFC 4122, in digits of either case.
    case uuid
    /// An address of IPv4 with four decimal numbers (RFC 2673, section 3.2).
    case ipv4
    /// An address of IPv6 by RFC 4291, section 2.2, without zone and prefix length.
    case ipv6
    /// A host's name by RFC 1123, section 2.1, of ASCII characters.
    case hostname
    /// A time of day by RFC 3339, such as `08:30:00Z`; a leap second only where one can be.
    case time
    /// A duration by RFC 3339, appendix A, such as `P3DT12H`.
    case duration
    /// A URI or a relative reference by RFC 3986.
    case uriReference = "uri-reference"
    /// A URI by RFC 3987, which may have characters beyond ASCII.
    case iri
    /// An IRI or a relative reference by RFC 3987.
    case iriReference = "iri-reference"
    /// A template of URIs by RFC 6570.
    case uriTemplate = "uri-template"
    /// A JSON Pointer by RFC 6901.
    case jsonPointer = "json-pointer"
    /// A relative JSON Pointer.
    case relativeJSONPointer = "relative-json-pointer"
    /// A regular expression by ECMA-262 with the flag `u`, also one that the keyword `pattern` does not support.
    case regex

    /// Whether a text has the format.
    public func accepts(_ text: String) -> Bool {
        switch self {
        case .color: RGBColor(text) != nil
        case .uri: URISyntax.isURI(Array(text.utf8)[...])
        case .semver: SemanticVersion(text) != nil
        case .dateTime: DateSyntax.isDateTime(Array(text.utf8)[...])
        case .date: DateSyntax.isDate(Array(text.utf8)[...])
        case .email: HostSyntax.isMailbox(Array(text.utf8)[...])
        case .uuid: Self.isUUID(Array(text.utf8))
        case .ipv4: HostSyntax.isIPv4(Array(text.utf8)[...])
        case .ipv6: HostSyntax.isIPv6(Array(text.utf8)[...])
        case .hostname: HostSyntax.isHostname(Array(text.utf8)[...])
        case .time: DateSyntax.isTime(Array(text.utf8)[...])
        case .duration: DateSyntax.isDuration(Array(text.utf8)[...])
        case .uriReference: URISyntax.isReference(Array(text.utf8)[...])
        case .iri: URISyntax.isURI(URISyntax.mappedToASCII(text))
        case .iriReference: URISyntax.isReference(URISyntax.mappedToASCII(text))
        case .uriTemplate: URISyntax.isTemplate(text)
        case .jsonPointer: PointerSyntax.isPointer(Array(text.utf8)[...])
        case .relativeJSONPointer: PointerSyntax.isRelativePointer(Array(text.utf8)[...])
        case .regex: RegexSyntax.isPattern(text)
        }
    }

    /// The name of the format in messages, with an example.
    public var displayName: String {
        switch self {
        case .color: "colour such as #FFB6C1"
        case .uri: "URI such as https://example.com/a"
        case .semver: "version such as 1.2.0"
        case .dateTime: "date and time such as 2026-11-23T08:30:00Z"
        case .date: "date such as 2026-11-23"
        case .email: "email address such as me@example.com"
        case .uuid: "UUID such as 123e4567-e89b-12d3-a456-426614174000"
        case .ipv4: "IPv4 address such as 192.0.2.1"
        case .ipv6: "IPv6 address such as 2001:db8::1"
        case .hostname: "host name such as www.example.com"
        case .time: "time such as 08:30:00Z"
        case .duration: "duration such as P3DT12H"
        case .uriReference: "URI or relative reference such as /a?b"
        case .iri: "IRI such as https://example.com/é"
        case .iriReference: "IRI or relative reference such as /é?b"
        case .uriTemplate: "URI template such as https://example.com/{id}"
        case .jsonPointer: "JSON Pointer such as /a/0"
        case .relativeJSONPointer: "relative JSON Pointer such as 1/a"
        case .regex: "regular expression such as ^[a-z]+$"
        }
    }

    /// The cost of checking a byte, in units of work.
    static let workPerByte = 8

    private static func isUUID(_ bytes: [UInt8]) -> Bool {
        bytes.count == 36
            && bytes.enumerated().allSatisfy { place, byte in
                [8, 13, 18, 23].contains(place) ? byte == UInt8(ascii: "-") : byte.isHexDigit
            }
    }
}

extension UInt8 {
    /// Whether this is an ASCII hexadecimal digit of either case.
    var isHexDigit: Bool { hexDigitValue(self) != nil }

    func isOne(of characters: StaticString) -> Bool {
        UnsafeBufferPointer(start: characters.utf8Start, count: characters.utf8CodeUnitCount).contains(self)
    }
}
