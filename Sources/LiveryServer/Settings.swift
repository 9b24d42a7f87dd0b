import ArgumentParser
import Configuration

/// The settings that no flag has given: `LIVERY_…` variables, then defaults.
struct Settings {
    private let reader = ConfigReader(provider: EnvironmentVariablesProvider()).scoped(to: "livery")

    /// A text: what the flag says, else what the variable says.
    func text(_ flag: String?, _ key: String) -> String? {
        flag ?? reader.string(forKey: Configuration.ConfigKey(key)).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A whole number, by a flag or by its variable.
    ///
    /// - Parameters:
    ///   - flag: what the flag says.
    ///   - key: the setting's name, such as `history.days` for `--history-days` and `LIVERY_HISTORY_DAYS`.
    ///   - range: which numbers make sense. Its end keeps whoever calculates with the number from an overflow.
    ///   - standard: what holds where nothing is said.
    /// - Throws: a `ValidationError` that names the flag or the variable.
    func count(
        _ flag: Int?,
        _ key: String,
        in range: ClosedRange<Int> = 1...1_000_000_000,
        standard: Int
    ) throws(ValidationError) -> Int {
        if let flag { return try Self.checked("\(flag)", in: range, "--\(key.replacing(".", with: "-"))") }
        guard let text = text(nil, key) else { return standard }
        return try Self.checked(text, in: range, "LIVERY_\(key.replacing(".", with: "_").uppercased())")
    }

    private static func checked(_ text: String, in range: ClosedRange<Int>, _ name: String) throws(ValidationError)
        -> Int
    {
        guard let number = Int(text), range.contains(number) else {
            let limits = "\(range.lowerBound) to \(range.upperBound)"
            throw ValidationError("\(name) is a whole number from \(limits), not '\(text)'.")
        }
        return number
    }

    /// One of the words of a choice.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ flag: Choice?,
        _ key: String,
        _ variable: String,
        standard: Choice
    ) throws(ValidationError) -> Choice where Choice.RawValue == String {
        if let flag { return flag }
        guard let text = text(nil, key) else { return standard }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("\(variable) is one of \(names), not '\(text)'.")
        }
        return choice
    }
}
