// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Configuration
import Programs

/// A setting of the server, declared once: the name of its flag and its variable, its default, and its valid values.
struct Setting<Value: Sendable>: Sendable {
    /// The name of the flag without its dashes; `max-keys` is also the variable `LIVERY_MAX_KEYS`.
    let name: String
    /// The default; `nil` for a setting that may be repeated.
    var standard: Value?
    var standardText: String?
    /// The description, without a full stop.
    let help: String
    let valueName: String
    /// The valid values: the end of the sentence "--max-keys is …".
    let expected: String
    /// The words that it may be, if only those.
    var choices: [String] = []
    /// Whether shells complete files.
    var isPath = false
    /// Reads a text; `nil` if it is not as expected.
    let read: @Sendable (String) -> Value?
    /// The text of the flag on the command line; `nil` without the flag.
    fileprivate(set) var given: String?

    fileprivate func given(_ text: String) -> Setting {
        var setting = self
        setting.given = text
        return setting
    }

    fileprivate var argumentHelp: ArgumentHelp {
        ArgumentHelp("\(help)\(standardText.map { " (default: \($0))" } ?? "").", valueName: valueName)
    }

    fileprivate var completion: CompletionKind? {
        if isPath { return .file() }
        return choices.isEmpty ? nil : .list(choices)
    }

    fileprivate func value(_ text: String, from source: String) throws(ValidationError) -> Value {
        if let value = read(text) { return value }
        throw ValidationError("\(source) must be \(expected), not '\(text)'.")
    }

    var environmentVariable: LiveryVariable? { LiveryVariable(rawValue: name) }

    fileprivate func value(ofVariable text: String) throws(ValidationError) -> Value {
        try value(text, from: environmentVariable?.name ?? name)
    }

    fileprivate func variable(in settings: Settings) -> String? { environmentVariable.flatMap(settings.variable) }
}

extension Setting<Int> {
    /// A whole number from 1. The highest that makes sense keeps calculations from an overflow.
    static func count(
        _ name: String,
        _ standard: Int,
        upTo limit: Int = 1_000_000_000,
        _ help: String,
        _ valueName: String = "count"
    ) -> Setting {
        Setting(
            name: name,
            standard: standard,
            standardText: "\(standard)",
            help: help,
            valueName: valueName,
            expected: "an integer from 1 to \(limit)",
            read: { text in Int(text).flatMap { (1...limit).contains($0) ? $0 : nil } }
        )
    }

    /// A size of 1 byte to 1 GiB, which is as much as Livery's clients read.
    static func size(_ name: String, _ standard: Int, _ help: String) -> Setting {
        Setting(
            name: name,
            standard: standard,
            standardText: "\(standard >> 20)MiB",
            help: help,
            valueName: "size",
            expected: "a size up to 1GiB, such as 64MiB or 100000",
            read: { byteCount($0) }
        )
    }

    private static func byteCount(_ text: String) -> Int? {
        guard let match = text.wholeMatch(of: /([0-9]+)([KMG]iB)?/), let number = Int(match.1), number > 0 else {
            return nil
        }
        let unit = match.2.map { 1 << ["KiB": 10, "MiB": 20, "GiB": 30][$0, default: 0] } ?? 1
        let (bytes, isTooMuch) = number.multipliedReportingOverflow(by: unit)
        return isTooMuch || bytes > 1 << 30 ? nil : bytes
    }
}

extension Setting<String?> {
    static func path(
        _ name: String,
        _ help: String,
        default standardText: String? = nil,
        valueName: String = "path"
    ) -> Setting {
        Setting(
            name: name,
            standard: .some(nil),
            standardText: standardText,
            help: help,
            valueName: valueName,
            expected: "a path",
            isPath: true,
            read: { .some($0) }
        )
    }
}

extension Setting where Value: CaseIterable & RawRepresentable<String> {
    static func choice(_ name: String, _ standard: Value, _ help: String) -> Setting {
        let words = Value.allCases.map(\.rawValue)
        return Setting(
            name: name,
            standard: standard,
            standardText: standard.rawValue,
            help: "\(help): \(words.joined(separator: ", "))",
            valueName: name,
            expected: "one of \(words.joined(separator: ", "))",
            choices: words,
            read: { Value(rawValue: $0) }
        )
    }
}

extension Option {
    init<T>(_ setting: Setting<T>) where Value == Setting<T> {
        self.init(
            wrappedValue: setting,
            name: .customLong(setting.name),
            help: setting.argumentHelp,
            completion: setting.completion,
            transform: { setting.given($0) }
        )
    }

    /// The flag of a setting that may be repeated. Without the flag, only the setting itself is there.
    init<T>(repeating setting: Setting<T>) where Value == [Setting<T>] {
        self.init(
            wrappedValue: [setting],
            name: .customLong(setting.name),
            help: setting.argumentHelp,
            completion: setting.completion,
            transform: { setting.given($0) }
        )
    }
}

/// The settings besides the flags: `LIVERY_…` variables, then defaults.
struct Settings {
    private let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: Program.environment))
        .scoped(to: "livery")

    /// A variable; `nil` if it is not set or empty.
    func variable(_ variable: LiveryVariable) -> String? {
        let key = ConfigKey(variable.rawValue.replacing("-", with: "."))
        return reader.string(forKey: key).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether a setting was given by a flag or a variable.
    func has<Value>(_ setting: Setting<Value>) -> Bool { setting.given != nil || setting.variable(in: self) != nil }

    /// The value of a setting: the flag's, else the variable's, else the default. An error names the flag or the variable.
    func value<Value>(_ setting: Setting<Value>) throws(ValidationError) -> Value {
        if let text = setting.given { return try setting.value(text, from: "--\(setting.name)") }
        if let text = setting.variable(in: self) { return try setting.value(ofVariable: text) }
        if let standard = setting.standard { return standard }
        throw ValidationError("Missing option --\(setting.name).")
    }

    /// The values of a setting that may be repeated: the flags', else those of the variable, separated by commas.
    func values<Value>(_ flags: [Setting<Value>]) throws(ValidationError) -> [Value] {
        guard let setting = flags.first, setting.given == nil else {
            return try flags.map { (flag) throws(ValidationError) in try value(flag) }
        }
        let texts = setting.variable(in: self)?.split(separator: ",").map { String($0.trimmingPrefix(" ")) } ?? []
        return try texts.map { (text) throws(ValidationError) in try setting.value(ofVariable: text) }
    }
}
