// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

extension TweakEditor {
    /// An initial value where there is none yet.
    package func firstValue(form: ValueForm) -> EntryValue { form.accepted(nearest: blank) ?? .null }

    /// The usual first value, whether the type accepts it or not.
    private var blank: EntryValue {
        switch self {
        case .picker(let options), .pickerWithCustom(let options, _): options.first?.value ?? .null
        case .slider(let range), .stepper(.some(let range), _): .double(range.lowerBound)
        case .color: .string("#000000")
        case .array: .array([])
        case .object(let fields):
            .object(
                EntryObject(fields.filter { !$0.isOptional }.map { (key: $0.name, value: $0.editor.blank) })
            )
        case .optional: .null
        default: .string("")
        }
    }
}

extension ValueForm {
    /// A value of the type, made from any value: each part that the type rejects is replaced by the first of some
    /// values that it accepts.
    fileprivate func accepted(nearest json: EntryValue) -> EntryValue? {
        var json = json
        var tried: [ExactString: Int] = [:]
        while true {
            if let value = normalized(json) { return value }
            let path = pathOfFault(in: json)
            let place = ExactString(path.description)
            let next = tried[place, default: 0]
            tried[place] = next + 1
            guard Self.firstValues.indices.contains(next) else { return nil }
            guard json.replace(path[...], with: Self.firstValues[next]) else { return nil }
        }
    }

    private static let firstValues: [EntryValue] = [
        .boolean(false), .integer(0), .string("https://example.com"), .string("0.0.0"), .string("#000000"),
        .string("2001-01-01T00:00:00Z"), .object(EntryObject()),
    ]
}

extension EntryValue {
    /// Replaces the part at the end of a path. Returns whether there is one.
    fileprivate mutating func replace(_ path: ArraySlice<any CodingKey>, with value: EntryValue) -> Bool {
        guard let key = path.first else {
            self = value
            return true
        }
        switch self {
        case .array(var elements):
            guard let index = key.index, elements.indices.contains(index) else { return false }
            guard elements[index].replace(path.dropFirst(), with: value) else { return false }
            self = .array(elements)
        case .object(let members):
            guard var member = members[key.stringValue], member.replace(path.dropFirst(), with: value) else {
                return false
            }
            self = .object(members.setting(key.stringValue, to: member))
        default: return false
        }
        return true
    }
}
