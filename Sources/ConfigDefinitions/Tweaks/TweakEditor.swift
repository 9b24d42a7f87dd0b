/// How a tweak is edited, as data: a screen draws it, and needs to know nothing of the tweak's type.
///
/// Values are in their stored form. A screen that does not know an editor may offer a text field instead.
public indirect enum TweakEditor: Hashable, Sendable {
    /// One of the values to choose from, with its name.
    public struct Option: Hashable, Sendable {
        /// The name, for a person.
        public let name: String
        /// The value.
        public let value: JSONValue

        /// Creates an option.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }

        /// Creates an option of a value.
        public init<Value: ConfigStorable>(_ name: String, _ value: Value) {
            self.init(name, Value.configConverter.json(of: value))
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
    /// A switch between nil and a value, which is edited as the inner editor says.
    case optional(TweakEditor)
    /// A list of elements to add, edit, remove and reorder.
    case array(TweakEditor)
    /// An editor that a screen knows by its name, with settings for it.
    case custom(name: String, settings: JSONValue)
}

extension TweakEditor {
    /// What is wrong with a stored form beyond its type, such as a number out of range; `nil` if nothing is.
    public func problem(with json: JSONValue) -> String? {
        switch self {
        case .toggle, .segmented, .text, .color, .custom: return nil
        case .stepper(let range, _): return range.flatMap { Self.problem(with: json, range: $0) }
        case .slider(let range): return Self.problem(with: json, range: range)
        case .picker(let options):
            if options.contains(where: { $0.value == json }) { return nil }
            return "\(json.text) is none of " + options.map(\.name).joined(separator: ", ")
        case .pickerWithCustom(let options, let custom):
            return options.contains { $0.value == json } ? nil : custom.problem(with: json)
        case .optional(let wrapped): return json == .null ? nil : wrapped.problem(with: json)
        case .array(let element):
            guard case .array(let elements) = json else { return nil }
            return elements.lazy.compactMap(element.problem).first
        }
    }

    private static func problem(with json: JSONValue, range: ClosedRange<Double>) -> String? {
        let number: Double
        switch json {
        case .integer(let integer): number = Double(integer)
        case .double(let double): number = double
        default: return nil
        }
        if range.contains(number) { return nil }
        return "\(json.text) is not between \(range.lowerBound.plainText) and \(range.upperBound.plainText)"
    }

    /// The value one step up or down, kept within the range; `nil` if this editor has no steps or the value is no number.
    ///
    /// - Parameters:
    ///   - json: the value now.
    ///   - steps: how many steps up, or down if negative. A slider has a hundred.
    public func stepped(_ json: JSONValue, by steps: Int) -> JSONValue? {
        let (range, step): (ClosedRange<Double>?, Double)
        switch self {
        case .stepper(let limits, let size): (range, step) = (limits, size)
        case .slider(let limits): (range, step) = (limits, (limits.upperBound - limits.lowerBound) / 100)
        default: return nil
        }
        switch json {
        case .integer(let number):
            // A slider over a few whole numbers moves by one at least.
            let moved = Self.limited(Double(number) + Double(steps) * max(step.rounded(), 1), to: range)
            return Int(exactly: moved.rounded()).map(JSONValue.integer)
        case .double(let number): return .double(Self.limited(number + Double(steps) * step, to: range))
        default: return nil
        }
    }

    private static func limited(_ number: Double, to range: ClosedRange<Double>?) -> Double {
        range.map { min(max(number, $0.lowerBound), $0.upperBound) } ?? number
    }
}
