import ConfigModel
import ConfigServer
import Configuration
import Logging

/// The settings that no flag has given: `LIVERY_…` variables, then defaults.
struct Settings {
    private let reader = ConfigReader(provider: EnvironmentVariablesProvider()).scoped(to: "livery")

    /// A text: what the flag says, else what the variable says.
    func text(_ flag: String?, _ key: String) -> String? {
        flag ?? reader.string(forKey: Configuration.ConfigKey(key)).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A whole number from 1 on.
    ///
    /// - Throws: ``ConfigError`` naming the variable, if it is something else.
    func count(_ flag: Int?, _ key: String, _ variable: String, standard: Int) throws(ConfigError)
        -> Int
    {
        if let flag { return flag }
        guard let text = text(nil, key) else { return standard }
        guard let number = Int(text), number > 0 else {
            throw ConfigError(.typeMismatch, "\(variable) is a whole number from 1 on, not '\(text)'")
        }
        return number
    }

    /// One of the words of a choice.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ flag: Choice?,
        _ key: String,
        _ variable: String,
        standard: Choice
    ) throws(ConfigError) -> Choice where Choice.RawValue == String {
        if let flag { return flag }
        guard let text = text(nil, key) else { return standard }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw ConfigError(.typeMismatch, "\(variable) is one of \(names), not '\(text)'")
        }
        return choice
    }
}
