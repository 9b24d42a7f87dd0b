internal import ConfigModel

extension Bool: ConfigStorable {
    /// Stores `true` or `false`.
    public static var configConverter: ValueConverter<Bool> {
        ValueConverter(typeName: "true or false") {
            .boolean($0)
        } decode: { json in
            guard case .boolean(let flag) = json else { return nil }
            return flag
        }
    }
}

extension Int: ConfigStorable {
    /// Stores a number without a fraction; `1.0` is read as well.
    public static var configConverter: ValueConverter<Int> {
        ValueConverter(typeName: "whole number") {
            .integer($0)
        } decode: { json in
            switch json {
            case .integer(let number): number
            case .double(let number): Int(exactly: number)
            default: nil
            }
        }
    }
}

extension Double: ConfigStorable {
    /// Stores a number; those that JSON has no spelling for are the strings `inf`, `-inf` and `nan`.
    public static var configConverter: ValueConverter<Double> {
        ValueConverter(typeName: "number") { number in
            if !number.isFinite { return .string(number.isNaN ? "nan" : number > 0 ? "inf" : "-inf") }
            return .double(number)
        } decode: { json in
            switch json {
            case .integer(let number): Double(number)
            case .double(let number): number
            case .string("inf"): .infinity
            case .string("-inf"): -.infinity
            case .string("nan"): .nan
            default: nil
            }
        }
    }
}

extension String: ConfigStorable {
    /// Stores the text.
    public static var configConverter: ValueConverter<String> {
        ValueConverter(typeName: "text", isText: true) {
            .string($0)
        } decode: { json in
            guard case .string(let text) = json else { return nil }
            return text
        }
    }
}

extension Optional: ConfigStorable where Wrapped: ConfigStorable {
    /// Stores nil as `null`.
    public static var configConverter: ValueConverter<Wrapped?> { Wrapped.configConverter.optional }
}

extension Array: ConfigStorable where Element: ConfigStorable {
    /// Stores a JSON array.
    public static var configConverter: ValueConverter<[Element]> { Element.configConverter.array }
}
