/// Values and types as a user reads them.
enum ValueDescription {
    /// A value as it is stored, if its type can be, or else as Swift describes it; nil is `none`.
    static func text<Value: Sendable>(of value: Value) -> String {
        if let storable = value as? any ConfigStorable { return preview(of: storable) }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.map { "\($0.value)" } ?? "none" }
        return String(describing: value)
    }

    static func typeName<Value>(of type: Value.Type) -> String {
        if let storable = type as? any ConfigStorable.Type { return formName(of: storable) }
        return String(describing: type)
    }

    private static func preview<Value: ConfigStorable>(of value: Value) -> String {
        let converter = Value.configConverter
        return converter.form.preview(of: converter.json(of: value))
    }

    private static func formName<Value: ConfigStorable>(of type: Value.Type) -> String {
        type.configConverter.form.typeName
    }
}

extension Double {
    /// The number as people write it: 10 and not 10.0.
    var plainText: String { Int(exactly: self).map { String($0) } ?? description }
}
