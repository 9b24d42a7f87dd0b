/// What a link of a definition's chain says: a value, which may be nil, or nothing.
///
/// For an optional value, `.value(nil)` overrides with nil and ``none`` leaves the decision to the links below.
public enum Override<Value> {
    /// The definition has this value.
    case value(Value)
    /// The next link is asked.
    case none
}

extension Override: Sendable where Value: Sendable {}
extension Override: Equatable where Value: Equatable {}
extension Override: Hashable where Value: Hashable {}

extension Override {
    /// An override with the value that is there, or none.
    public init(_ value: Value?) {
        self = value.map(Override.value) ?? .none
    }

    /// An override with another value.
    public func map<Other, Failure>(
        _ transform: (Value) throws(Failure) -> Other
    ) throws(Failure) -> Override<Other> {
        switch self {
        case .value(let value): .value(try transform(value))
        case .none: .none
        }
    }
}
