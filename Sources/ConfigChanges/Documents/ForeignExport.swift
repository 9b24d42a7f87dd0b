// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// A file of another product, whose members are no keys with values: an export of its flags, or a template.
///
/// A file is recognized by the names and kinds of its members alone. All of its flags must have them, so that no ordinary
/// document is taken for one; an exact document (`"livery": 1`) never is.
package enum ForeignExport: String, CaseIterable, Sendable {
    case firebase = "Firebase Remote Config"
    case launchDarkly = "LaunchDarkly"
    case unleash = "Unleash"
    case growthBook = "GrowthBook"
    case flagsmith = "Flagsmith"
    case configCat = "ConfigCat"
    case flipt = "Flipt"
    case goFeatureFlag = "GO Feature Flag"
    case flagd

    /// - Parameter json: the file as JSON; `nil` for a file of no other product, and for a text that is not JSON.
    package init?(json: [UInt8]) {
        guard var scanner = try? JSONScanner(json), let outline = try? Self.outline(&scanner, depth: 5),
            let found = Self.allCases.first(where: { $0.hasForm(of: outline) })
        else { return nil }
        self = found
    }

    /// - Throws: `rejected` with the product and the next step, if the file is one of another product.
    package static func refuse(_ json: [UInt8], source: String) throws(ConfigError) {
        guard let found = ForeignExport(json: json) else { return }
        let (what, advice) =
            switch found {
            case .firebase: ("a Firebase Remote Config template", "import it with `livery import --format firebase`")
            case .flagd: ("a flagd flag file", "import it with `livery import --format flagd`")
            default: ("an export of \(found.rawValue), which cannot be imported", "see Documentation/Migration.md")
            }
        throw ConfigError(.rejected, "the file looks like \(what); \(advice)", source: source)
    }

    /// The names of the first levels of a document, and the kinds of their values: a text is empty, and a number 0.
    private static func outline(_ scanner: inout JSONScanner, depth: Int) throws(ConfigError) -> EntryValue {
        scanner.skipWhitespace()
        let first = scanner.current
        if depth > 0, first == UInt8(ascii: "{") {
            var members: [EntryObject.Member] = []
            try scanner.members { (name, _, scanner) throws(ConfigError) in
                members.append((name, try outline(&scanner, depth: depth - 1)))
            }
            return .object(EntryObject(members))
        }
        if depth > 0, first == UInt8(ascii: "[") {
            var elements: [EntryValue] = []
            try scanner.array { (scanner) throws(ConfigError) in
                elements.append(try outline(&scanner, depth: depth - 1))
            }
            return .array(elements)
        }
        try scanner.skipValue()
        switch first {
        case UInt8(ascii: "{"): return [:]
        case UInt8(ascii: "["): return []
        case UInt8(ascii: "\""): return ""
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return true
        case UInt8(ascii: "n"): return .null
        default: return 0
        }
    }
}

// The forms.
extension ForeignExport {
    private func hasForm(of file: EntryValue) -> Bool {
        switch self {
        case .firebase: file.isFirebaseTemplate
        // The file of a data source, an event of the stream, an answer of the REST API, or one flag of it.
        case .launchDarkly:
            file["flags"].isAll(where: \.isLaunchDarklyData)
                || file["data"]["flags"].isAll(where: \.isLaunchDarklyData)
                || file["items"].isAll(where: \.isLaunchDarklyFlag) || file.isLaunchDarklyFlag
                || file["flagValues"].isObject && file["flagValues"] != [:]
                    && file.hasOnly(["flags", "flagValues", "segments"])
        case .unleash: file.isUnleashExport || file["toggles"].isUnleashAnswer
        case .growthBook:
            file["features"].isAll(where: \.isGrowthBookFeature) && file.hasGrowthBookRules || file.isGrowthBookAnswer
        // An environment, the flags of a user, an export of features, or a page of the API.
        case .flagsmith:
            [file, file["feature_states"], file["flags"], file["results"]].contains {
                $0.isArray && $0.isAll(where: \.isFlagsmithState)
            }
        case .configCat:
            // A file without preferences has nothing but settings, with their identifiers or rules.
            (file["p"].isConfigCatPreferences || file.hasOnly(["f", "s"]))
                && file["f"].isAll { setting in
                    !setting["v"].isNull && (setting["t"] == 0 || setting["r"].isArray)
                        && (!file["p"].isNull || ["i", "r", "p", "a"].contains { !setting[$0].isNull })
                }
        case .flipt: file.isFliptExport
        // The flags of the first version have a value for true and one for false.
        case .goFeatureFlag:
            file.isObject
                && (file.isAll { $0["variations"].isObject && $0["defaultRule"].isObject }
                    || file.isAll(where: \.isFirstGoFeatureFlag))
        // The flags of a set may be an array.
        case .flagd:
            (file.isArray ? file : [file]).isAll { set in set["flags"].isAll(where: \.isFlagdFlag) }
        }
    }
}

extension EntryValue {
    /// A member; null if there is none.
    fileprivate subscript(name: String) -> EntryValue { members?[name] ?? .null }

    fileprivate var isNull: Bool { self == .null }

    /// Whether it is an array or an object of objects, at least one, which all fulfil a condition.
    fileprivate func isAll(where condition: (EntryValue) -> Bool) -> Bool {
        let parts: [EntryValue] =
            switch self {
            case .array(let elements): elements
            case .object(let members): members.map(\.value)
            default: []
            }
        return !parts.isEmpty && parts.allSatisfy { $0.isObject && condition($0) }
    }

    fileprivate func hasOnly(_ names: Set<String>) -> Bool {
        members?.allSatisfy { names.contains($0.key) } == true
    }

    fileprivate var isFirebaseTemplate: Bool {
        guard hasOnly(["conditions", "parameters", "parameterGroups", "version", "etag"]) else { return false }
        let (parameters, groups) = (self["parameters"], self["parameterGroups"])
        let isParameter = { (parameter: EntryValue) in
            parameter.hasOnly(["defaultValue", "conditionalValues", "description", "valueType"])
                && (parameter["defaultValue"].isObject || parameter["conditionalValues"].isObject)
        }
        let values: Set = ["value", "useInAppDefault", "personalizationValue", "rolloutValue", "experimentValue"]
        if isEmptyFirebaseTemplate { return true }
        return [[:], .null].contains(parameters) && groups.isAll { $0["parameters"].isAll(where: isParameter) }
            || parameters.isAll {
                isParameter($0) && ($0["defaultValue"].isNull || $0["defaultValue"].hasOnly(values))
                    && [.null, ""].contains($0["defaultValue"]["value"])
            }
    }

    /// Whether a template has a version and no parameter.
    private var isEmptyFirebaseTemplate: Bool {
        let version = self["version"]
        let isEmpty = [self["parameters"], self["parameterGroups"]].allSatisfy { $0.isNull || $0 == [:] }
        return isEmpty && version["versionNumber"] == "" && (version["updateTime"] == "" || self["parameters"].isObject)
    }

    fileprivate var isLaunchDarklyData: Bool {
        self["variations"].isArray && (self["fallthrough"].isObject || self["on"] == true && self["version"] == 0)
    }

    fileprivate var isLaunchDarklyFlag: Bool {
        self["key"] == "" && self["variations"].isArray
            && (self["environments"].isObject || self["_version"] == 0 && self["variations"].isAll { _ in true })
    }

    /// An export with the strategies of all flags, an answer of the client API with those of each, or one of the admin API.
    fileprivate var isUnleashExport: Bool {
        let features = self["features"]
        guard features.isArray, features.isAll(where: { $0["name"] == "" }) else { return false }
        return self["featureStrategies"].isArray || features.hasUnleashStrategies
            || features.isAll { $0["type"] == "" && $0["stale"] == true && $0["impressionData"] == true }
    }

    /// Whether they are the flags of an answer of the frontend API.
    fileprivate var isUnleashAnswer: Bool {
        isArray && isAll { $0["name"] == "" && $0["enabled"] == true && $0["variant"].isObject }
    }

    /// Whether the flags of an answer have strategies, of which some may be none.
    private var hasUnleashStrategies: Bool {
        isAll { $0["strategies"].isUnleashStrategies } && !isAll { $0["strategies"].isEmptyArray }
    }

    private var isUnleashStrategies: Bool { isEmptyArray || isArray && isAll { $0["name"] == "" } }
    private var isEmptyArray: Bool { self == [] }

    fileprivate var isGrowthBookFeature: Bool {
        !self["defaultValue"].isNull
            && (hasOnly(["defaultValue", "rules"]) || self["environments"].isAll { _ in true })
    }

    /// Whether the rules of a feature are GrowthBook's, or what the file has beside them.
    fileprivate var hasGrowthBookRules: Bool {
        let names = ["condition", "coverage", "force", "variations", "hashAttribute", "parentConditions"]
        if !self["dateUpdated"].isNull || self["features"].isAll(where: { $0["environments"].isObject }) { return true }
        return !self["features"].isAll { feature in
            !feature["rules"].isAll { rule in names.contains { !rule[$0].isNull } }
        }
    }

    /// An answer for an SDK, whose features are encrypted, or can lack a value.
    fileprivate var isGrowthBookAnswer: Bool {
        guard self["dateUpdated"] == "" else { return false }
        if self["encryptedFeatures"] == "" { return true }
        let features = self["features"]
        return features.isAll { $0.hasOnly(["defaultValue", "rules"]) } && !features.isAll { $0 == [:] }
    }

    fileprivate var isFlagsmithState: Bool {
        self["feature"]["name"] == "" && self["enabled"] == true && hasMember("feature_state_value")
            || self["name"] == "" && self["default_enabled"] == true && hasMember("initial_value")
    }

    fileprivate var isConfigCatPreferences: Bool { isObject && ["u", "r", "s"].contains { !self[$0].isNull } }

    fileprivate var isFliptExport: Bool {
        let isNamed = !self["namespace"].isNull || !self["version"].isNull
        let names = ["type", "variants", "rules", "rollouts"] + (isNamed ? ["name"] : [])
        return self["flags"].isArray
            && self["flags"].isAll { flag in flag.isFliptFlag && names.contains { !flag[$0].isNull } }
    }

    private var isFliptFlag: Bool {
        self["key"] == "" && self["enabled"] == true && self["state"].isNull && !self["variants"].isObject
    }

    fileprivate var isFirstGoFeatureFlag: Bool {
        self["percentage"] == 0 && ["true", "false", "default"].allSatisfy { hasMember($0) }
    }

    fileprivate var isFlagdFlag: Bool {
        self["variants"].isObject && ["state", "defaultVariant", "targeting"].contains { hasMember($0) }
    }

    private func hasMember(_ name: String) -> Bool { members?[name] != nil }
}
