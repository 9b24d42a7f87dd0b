// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import TextPatterns

/// A constraint on values beyond their type, such as numbers between 0 and 1.
///
/// ```swift
/// let tags = ConfigDefinition("app.tags", default: ["new"])
///     .limited(by: .count(1...8))
///     .limited(by: .elements(.length(1...20)))
/// ```
///
/// A limit is checked here, written out as JSON Schema, and chooses an editor for tweaks.
public struct ValueLimit<Value: Sendable>: Sendable {
    private let check: @Sendable (Value) -> String?
    /// The keywords of JSON Schema for the same constraint on the stored form, as far as there are any. A closure,
    /// since most programs never export schemas.
    let keywords: @Sendable () -> [String: EntryValue]
    /// The editor of values within the limit, made from that of all values.
    let editor: @Sendable (TweakEditor) -> TweakEditor

    init(
        keywords: @escaping @Sendable () -> [String: EntryValue],
        editor: @escaping @Sendable (TweakEditor) -> TweakEditor = { $0 },
        check: @escaping @Sendable (Value) -> String?
    ) {
        (self.keywords, self.editor, self.check) = (keywords, editor, check)
    }

    /// The error for a value, as one sentence without a full stop; `nil` if the value is within the limit.
    public func problem(with value: Value) -> String? { check(value) }
}

extension ValueLimit {
    /// Numbers within a range, bounds included: `0...1`, `1...`, `...80`.
    public static func range(_ range: some RangeExpression<Value>) -> ValueLimit
    where Value: ConfigStorable & Comparable & Numeric {
        let (range, converter) = (Bounds(range), Value.configConverter)
        let text = { @Sendable (number: Value) in converter.number(of: number)?.plainText ?? "\(number)" }
        return ValueLimit {
            // JSON has no infinity.
            var keywords: [String: EntryValue] = [:]
            keywords["minimum"] = range.lowest.flatMap(converter.jsonNumber)
            keywords["maximum"] = range.highest.flatMap(converter.jsonNumber)
            return keywords
        } editor: {
            $0.limited(from: range.lowest.flatMap(converter.number), to: range.highest.flatMap(converter.number))
        } check: { value in
            range.holds(value) ? nil : "\(text(value)) is not \(range.phrase(text))"
        }
    }

    /// Only these values.
    ///
    /// In JSON Schema they are an `enum`, unless a value of the type has several spellings, as the colours `#FFB6C1` and
    /// `ffb6c1`: there the limit is checked by the program only.
    public static func options(_ options: [Value]) -> ValueLimit where Value: ConfigStorable {
        Self.options(options.map { (Value.configConverter.form.preview(of: Value.configConverter.json(of: $0)), $0) }) {
            ["enum": .array($0.map(\.value))]
        }
    }

    /// Only these values, which editors show by their names.
    public static func options(_ options: KeyValuePairs<String, Value>) -> ValueLimit where Value: ConfigStorable {
        Self.options(options.map { ($0.key, $0.value) }) { options in
            ["anyOf": .array(options.map { ["const": $0.value, "title": .string($0.name)] })]
        }
    }

    private static func options(
        _ options: [(name: String, value: Value)],
        keywords: @escaping @Sendable ([(name: String, value: EntryValue)]) -> [String: EntryValue]
    ) -> ValueLimit where Value: ConfigStorable {
        ValueLimit {
            let stored = options.compactMap { option in
                Value.configConverter.entryValue(of: option.value).map { (name: option.name, value: $0) }
            }
            return Value.configConverter.form.shape.hasOneSpelling && stored.count == options.count
                ? keywords(stored) : [:]
        } editor: { _ in
            .picker(options.map { TweakEditor.Option($0.name, $0.value) })
        } check: { value in
            // By the stored form, to which é in one scalar and in two are not equal.
            let converter = Value.configConverter
            let json = converter.json(of: value)
            if options.contains(where: { converter.json(of: $0.value) == json }) { return nil }
            return "\(converter.json(of: value).excerpt) is not one of "
                + options.map(\.name).joined(separator: ", ")
        }
    }
}

extension ValueLimit<String> {
    /// Limits the number of Unicode scalars of strings, as JSON Schema counts: `1...80`, `1...`, `...80`.
    public static func length(_ range: some RangeExpression<Int>) -> ValueLimit {
        let range = Bounds(range)
        return ValueLimit {
            sizes("minLength", "maxLength", range)
        } check: { text in
            range.problem(text.unicodeScalars.count, "the string has", "character")
        }
    }

    /// Accepts strings with a part that matches an ECMA-262 regular expression, as in JSON Schema; `^` and `$` match the start
    /// and the end.
    ///
    /// - Parameter pattern: the expression. An invalid one is a programming error and traps; lookaround and back references are
    ///   invalid, since they cannot be matched in linear time.
    public static func pattern(_ pattern: String) -> ValueLimit {
        let compiled: TextPattern
        do throws(PatternError) {
            compiled = try TextPattern(pattern)
        } catch {
            preconditionFailure("the pattern \(pattern) is not valid: \(error)")
        }
        return ValueLimit {
            ["pattern": .string(pattern)]
        } check: { text in
            compiled.matches(text) ? nil : "\(EntryValue.string(text).excerpt) does not match \(pattern)"
        }
    }
}

extension ValueLimit {
    /// Limits the number of elements of arrays: `1...8`, `1...`, `...8`.
    public static func count<Element>(_ range: some RangeExpression<Int>) -> ValueLimit where Value == [Element] {
        let range = Bounds(range)
        return ValueLimit {
            sizes("minItems", "maxItems", range)
        } check: { elements in
            range.problem(elements.count, "the array has", "element")
        }
    }

    /// Arrays whose elements are all within a limit.
    public static func elements<Element>(_ limit: ValueLimit<Element>) -> ValueLimit where Value == [Element] {
        ValueLimit {
            let keywords = limit.keywords()
            return keywords.isEmpty ? [:] : ["items": .object(EntryObject(keywords.map { ($0, $1) }))]
        } editor: { editor in
            if case .array(let element) = editor { .array(limit.editor(element)) } else { editor }
        } check: { elements in
            for (index, element) in elements.enumerated() {
                if let problem = limit.problem(with: element) { return "at [\(index)]: \(problem)" }
            }
            return nil
        }
    }

    /// Values that are nil or within a limit.
    public static func unlessNil<Wrapped>(_ limit: ValueLimit<Wrapped>) -> ValueLimit where Value == Wrapped? {
        ValueLimit {
            let keywords = limit.keywords()
            // Other keywords do not apply to null.
            guard keywords["enum"] != nil || keywords["anyOf"] != nil else { return keywords }
            return ["anyOf": [["type": "null"], .object(EntryObject(keywords.map { ($0, $1) }))]]
        } editor: { editor in
            if case .optional(let wrapped) = editor { .optional(limit.editor(wrapped)) } else { editor }
        } check: { value in
            value.flatMap(limit.problem)
        }
    }

    fileprivate static func sizes(_ least: String, _ most: String, _ range: Bounds<Int>) -> [String: EntryValue] {
        var keywords: [String: EntryValue] = [:]
        // No size is less than 0, and JSON Schema has no such limit.
        keywords[least] = range.lowest.map { .integer(max($0, 0)) }
        keywords[most] = range.highest.map { .integer(max($0, 0)) }
        return keywords
    }
}

extension ValueConverter {
    /// The number that a value is stored as; `nil` for any other value, and for an infinite number.
    fileprivate func number(of value: Value) -> Double? { Double(configValue: json(of: value)) }

    fileprivate func jsonNumber(of value: Value) -> EntryValue? {
        number(of: value) == nil ? nil : entryValue(of: value)
    }
}

extension TweakEditor {
    /// The maximum width of a range for a slider with a hundred steps.
    private static let widestSlider = 1000.0

    /// The editor of numbers within bounds: a slider, or a field with buttons if the range is wide or open.
    fileprivate func limited(from lowest: Double?, to highest: Double?) -> TweakEditor {
        guard case .stepper(_, let step) = self else { return self }
        // Beyond, not every whole number is a number of JSON.
        let most = Double(EntryValue.maximumInteger)
        let (low, high) = (
            max(lowest ?? -most, -.greatestFiniteMagnitude), min(highest ?? most, .greatestFiniteMagnitude)
        )
        guard low <= high else { return self }
        if high - low <= Self.widestSlider { return .slider(range: low...high) }
        let isOpen = lowest == nil || highest == nil
        return .stepper(range: low...high, step: isOpen ? step : max(step, 1))
    }
}

/// The bounds of a range of either kind.
struct Bounds<Bound: Comparable & Sendable>: Sendable {
    let lowest: Bound?
    let highest: Bound?

    /// - Parameter range: a range that includes its bounds; any other is an error in the code, and traps. Sliders need the
    ///   maximum itself.
    init(_ range: some RangeExpression<Bound>) {
        switch range {
        case let range as ClosedRange<Bound>: (lowest, highest) = (range.lowerBound, range.upperBound)
        case let range as PartialRangeFrom<Bound>: (lowest, highest) = (range.lowerBound, nil)
        case let range as PartialRangeThrough<Bound>: (lowest, highest) = (nil, range.upperBound)
        default: preconditionFailure("the range \(range) does not include its upper bound; write 0...9")
        }
    }

    /// Whether a value is in the range; one that compares with none, such as `nan`, is not.
    func holds(_ value: Bound) -> Bool { (lowest.map { $0 <= value } ?? true) && (highest.map { value <= $0 } ?? true) }

    /// The range as a phrase that follows "not": `between 0 and 1`, `1 or more`.
    func phrase(_ text: (Bound) -> String) -> String {
        switch (lowest, highest) {
        case (let lowest?, let highest?): "between \(text(lowest)) and \(text(highest))"
        case (let lowest?, nil): "\(text(lowest)) or more"
        case (nil, let highest?): "\(text(highest)) or less"
        case (nil, nil): "anything"
        }
    }
}

extension Bounds<Int> {
    /// The error for a count outside the range; `nil` if it is in the range.
    ///
    /// - Parameters:
    ///   - owner: the owner of the parts, with a verb, such as `the text has`.
    ///   - part: what one of them is called.
    func problem(_ count: Int, _ owner: String, _ part: String) -> String? {
        holds(count) ? nil : "\(owner) \(count) \(part)\(count == 1 ? "" : "s"), not \(phrase(String.init))"
    }
}

extension ValueConverter {
    /// The stored form as a value of the remote configuration, which has no numbers beyond ``EntryValue/maximumInteger``.
    func entryValue(of value: Value) -> EntryValue? {
        let json = json(of: value)
        // A number beyond the maximum is not a value of a configuration.
        return json == .null ? .null : try? EntryValue(json: json.canonicalBytes)
    }

    /// The same converter for values within limits only.
    func limited(by limits: [ValueLimit<Value>]) -> ValueConverter {
        limits.isEmpty ? self : filtered { value in limits.lazy.compactMap { $0.problem(with: value) }.first }
    }
}
