import ArgumentParser
import Configuration

/// A setting of the server, written once: the name of its flag and its variable, its default, and what it may be.
struct Setting<Value: Sendable>: Sendable {
    /// The name of the flag without its dashes; `max-keys` is also the variable `LIVERY_MAX_KEYS`.
    let name: String
    /// The name of the variable in the same form, if it differs.
    var variable: String?
    /// The default; `nil` for a setting that may be repeated.
    var standard: Value?
    /// The default, for the help.
    var standardText: String?
    /// What it is for, without a full stop.
    let help: String
    let valueName: String
    /// What it may be: the end of the sentence "--max-keys is …".
    let expected: String
    /// The words that it may be, if only those.
    var choices: [String] = []
    /// Reads a text; `nil` if it is not as expected.
    let read: @Sendable (String) -> Value?

    private var key: String { (variable ?? name).replacing("-", with: ".") }

    fileprivate var argumentHelp: ArgumentHelp {
        ArgumentHelp("\(help)\(standardText.map { " (default: \($0))" } ?? "").", valueName: valueName)
    }

    fileprivate func read(_ text: String, from source: String) throws(ValidationError) -> Value {
        if let value = read(text) { return value }
        throw ValidationError("\(source) is \(expected), not '\(text)'.")
    }

    fileprivate func value(ofFlag text: String) throws(ValidationError) -> Value {
        try read(text, from: "--\(name)")
    }

    fileprivate func value(ofVariable text: String) throws(ValidationError) -> Value {
        try read(text, from: "LIVERY_\((variable ?? name).replacing("-", with: "_").uppercased())")
    }

    fileprivate func variable(in settings: Settings) -> String? { settings.text(nil, key) }
}

/// The flag of a setting on a command line.
struct Given<Value: Sendable>: Sendable {
    fileprivate let setting: Setting<Value>
    /// The flag's text; `nil` without the flag.
    fileprivate var text: String?
}

extension Option {
    /// The flag of a setting.
    init<T>(_ setting: Setting<T>) where Value == Given<T> {
        self.init(
            wrappedValue: Given(setting: setting),
            name: .customLong(setting.name),
            help: setting.argumentHelp,
            completion: setting.choices.isEmpty ? nil : .list(setting.choices),
            transform: { Given(setting: setting, text: $0) }
        )
    }

    /// The flag of a setting that may be repeated.
    init<T>(repeating setting: Setting<T>) where Value == [Given<T>] {
        self.init(
            wrappedValue: [],
            name: .customLong(setting.name),
            help: setting.argumentHelp,
            transform: { Given(setting: setting, text: $0) }
        )
    }
}

/// What flags leave open: `LIVERY_…` variables, then defaults.
struct Settings {
    private let reader = ConfigReader(provider: EnvironmentVariablesProvider()).scoped(to: "livery")

    /// A text: the flag's, else the variable's. An empty variable is one that is not set.
    func text(_ flag: String?, _ key: String) -> String? {
        flag ?? reader.string(forKey: ConfigKey(key)).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The value of a setting: the flag's, else the variable's, else the default.
    ///
    /// - Throws: a `ValidationError` that names the flag or the variable.
    func value<Value>(_ given: Given<Value>) throws(ValidationError) -> Value {
        if let text = given.text { return try given.setting.value(ofFlag: text) }
        if let text = given.setting.variable(in: self) { return try given.setting.value(ofVariable: text) }
        if let standard = given.setting.standard { return standard }
        throw ValidationError("--\(given.setting.name) is missing.")
    }

    /// The values of a setting that may be repeated: the flags', else those of the variable, separated by commas.
    ///
    /// - Throws: a `ValidationError` that names the flag or the variable.
    func values<Value>(_ given: [Given<Value>], of setting: Setting<Value>) throws(ValidationError) -> [Value] {
        if !given.isEmpty { return try given.map { (flag) throws(ValidationError) in try value(flag) } }
        let texts = setting.variable(in: self)?.split(separator: ",").map { String($0.trimmingPrefix(" ")) } ?? []
        return try texts.map { (text) throws(ValidationError) in try setting.value(ofVariable: text) }
    }
}
