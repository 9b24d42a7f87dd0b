// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
public import ConfigRules
internal import Essentials

extension EvaluationContext {
    /// The context with the standard attributes of every program, unless it already has them: `version` (the program's),
    /// `platform` (`linux` or `macos`), `language` (`es`) and `region` (`ES`), the last two from the program's environment.
    ///
    /// - Parameter programVersion: the version of the program; without one the attribute is left out.
    public func withStandardAttributes(programVersion: String? = nil) -> EvaluationContext {
        withStandardAttributes(programVersion: programVersion, locale: Self.environmentLocale)
    }

    /// - Parameter locale: such as `es_ES.UTF-8`.
    package func withStandardAttributes(programVersion: String?, locale: String?) -> EvaluationContext {
        let (language, region) = Self.parts(ofLocale: locale ?? "")
        #if os(Linux)
            let platform = "linux"
        #else
            let platform = "macos"
        #endif
        var standard: [EntryObject.Member] = [("platform", .string(platform))]
        if let programVersion { standard.append(("version", .string(programVersion))) }
        if let language { standard.append(("language", .string(language))) }
        if let region { standard.append(("region", .string(region))) }
        let missing = standard.filter { attributes[$0.key] == nil }
        return EvaluationContext(targetingKey: targetingKey, attributes: EntryObject(Array(attributes) + missing))
    }

    private static var environmentLocale: String? {
        let environment = ProcessInfo.processInfo.environment
        return ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }

    /// The language and the region of `es_ES.UTF-8` or `es-ES`; none of `C` and `POSIX`.
    private static func parts(ofLocale locale: String) -> (language: String?, region: String?) {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        let parts = name.split { $0 == "_" || $0 == "-" }.map(String.init)
        let isWord = { (text: String, lengths: ClosedRange<Int>) in
            lengths.contains(text.utf8.count) && text.utf8.allSatisfy(\.isLetter)
        }
        guard let language = parts.first, isWord(language, 2...3) else { return (nil, nil) }
        let region = parts.dropFirst().last { isWord($0, 2...2) }
        return (language.lowercased(), region?.uppercased())
    }
}
