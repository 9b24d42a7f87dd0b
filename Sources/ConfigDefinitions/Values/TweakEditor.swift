// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// The editor of a tweak as data: a screen draws it without knowing the tweak's type.
///
/// Values are in their stored form. A screen that does not know an editor may offer a text field instead.
public indirect enum TweakEditor: Hashable, Sendable {
    /// One of the values to choose from, with its name.
    public struct Option: Hashable, Sendable {
        /// The name, for a person.
        public let name: String
        /// The value.
        public let value: EntryValue

        /// Creates an option.
        public init(_ name: String, _ value: EntryValue) {
            self.name = name
            self.value = value
        }

        /// Creates an option of a value.
        public init<Value: ConfigStorable>(_ name: String, _ value: Value) {
            self.init(name, Value.configConverter.json(of: value))
        }
    }

    /// A member of an object, and how it is edited.
    public struct Field: Hashable, Sendable {
        /// The member's name, which is shown as well.
        public let name: String
        /// The editor of the field's value.
        public let editor: TweakEditor
        /// Whether the object may do without it.
        public let isOptional: Bool

        /// Creates a field.
        public init(_ name: String, _ editor: TweakEditor, isOptional: Bool = false) {
            self.name = name
            self.editor = editor
            self.isOptional = isOptional
        }

        /// Whether it describes all members without another field, which can be added and removed.
        package private(set) var isForOthers = false

        /// The last field of an object that may have members of any name.
        package static func others(_ editor: TweakEditor) -> Field {
            var field = Field("", editor, isOptional: true)
            field.isForOthers = true
            return field
        }
    }

    /// A switch for a Boolean.
    case toggle
    /// Two buttons for a Boolean, with a name for each.
    case segmented(off: String, on: String)
    /// A field for a number with buttons to raise and lower it; `nil` for no limits.
    case stepper(range: ClosedRange<Double>?, step: Double)
    /// A slider for a number.
    case slider(range: ClosedRange<Double>)
    /// A text field.
    case text
    /// A colour picker.
    case color
    /// A list of values.
    case picker([Option])
    /// A list of values, and a field for any other.
    case pickerWithCustom([Option], custom: TweakEditor)
    /// A switch between nil and a value with the inner editor.
    case optional(TweakEditor)
    /// A list of elements to add, edit, remove and reorder.
    case array(TweakEditor)
    /// A list of fields, in this order; members of other names are kept as they are.
    case object([Field])
    /// The editor that fits the value: an object by its fields, an array by its elements, anything else by its type in JSON.
    case automatic
    /// An editor that a screen knows by its name, with settings for it.
    case custom(name: String, settings: EntryValue)
}

extension TweakEditor.Field {
    fileprivate func problem(in members: EntryObject) -> String? {
        if let value = members[name] { return editor.problem(with: value).map { "\(name): \($0)" } }
        return isOptional ? nil : "missing field \(name)"
    }
}

extension TweakEditor {
    /// The values that have a name.
    var options: [Option] {
        switch self {
        case .picker(let options), .pickerWithCustom(let options, _): options
        case .segmented(let off, let on): [Option(off, false), Option(on, true)]
        case .toggle: [Option("off", false), Option("on", true)]
        default: []
        }
    }

    /// The error for a stored form beyond its type, such as a number out of range; `nil` if there is none.
    public func problem(with json: EntryValue) -> String? {
        switch self {
        case .toggle, .segmented, .text, .color, .automatic, .custom: return nil
        case .stepper(let range, _): return range.flatMap { Self.problem(with: json, range: $0) }
        case .slider(let range): return Self.problem(with: json, range: range)
        case .picker(let options):
            if options.contains(where: { $0.value == json }) { return nil }
            return "\(json.canonicalJSON) is not one of " + options.map(\.name).joined(separator: ", ")
        case .pickerWithCustom(let options, let custom):
            return options.contains { $0.value == json } ? nil : custom.problem(with: json)
        case .optional(let wrapped): return json == .null ? nil : wrapped.problem(with: json)
        case .array(let element):
            guard case .array(let elements) = json else { return nil }
            return elements.lazy.compactMap(element.problem).first
        case .object(let fields):
            guard case .object(let members) = json else { return nil }
            return fields.lazy.compactMap { $0.problem(in: members) }.first
        }
    }

    private static func problem(with json: EntryValue, range: ClosedRange<Double>) -> String? {
        guard let number = Double(configValue: json), !range.contains(number) else { return nil }
        return "\(json.canonicalJSON) is not between \(range.lowerBound.plainText) and \(range.upperBound.plainText)"
    }

    /// The value after a number of steps up, or down if negative, limited to the range; `nil` if this editor has no steps or
    /// the value is not a number. A slider has a hundred steps.
    public func stepped(_ json: EntryValue, by steps: Int) -> EntryValue? {
        let (range, step): (ClosedRange<Double>?, Double)
        switch self {
        case .stepper(let limits, let size): (range, step) = (limits, size)
        case .slider(let limits): (range, step) = (limits, Double.hundredth(of: limits))
        default: return nil
        }
        switch json {
        // A slider over a few whole numbers moves by one at least.
        case .integer(let number): return Self.moved(number, by: steps, of: max(step.rounded(), 1), within: range)
        case .double(let number):
            let moved = Self.limited(number.moved(by: steps, of: step), to: range)
            return moved.isFinite ? .double(moved) : nil
        default: return nil
        }
    }

    /// In whole numbers, since a `Double` has not all of them beyond 2^53.
    private static func moved(
        _ number: Int,
        by steps: Int,
        of size: Double,
        within range: ClosedRange<Double>?
    ) -> EntryValue? {
        guard let size = Int(exactly: size) else { return nil }
        let (distance, isTooLong) = size.multipliedReportingOverflow(by: steps)
        let (moved, isTooFar) = number.addingReportingOverflow(distance)
        if isTooLong || isTooFar { return nil }
        guard let range, !range.contains(Double(moved)) else { return .integer(moved) }
        return Int(exactly: limited(Double(moved), to: range).rounded()).map(EntryValue.integer)
    }

    private static func limited(_ number: Double, to range: ClosedRange<Double>?) -> Double {
        range.map { min(max(number, $0.lowerBound), $0.upperBound) } ?? number
    }
}
