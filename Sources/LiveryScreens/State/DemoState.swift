// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig

/// The state of the world as the screens show it, read at one moment and evaluated from one snapshot.
struct DemoState: Sendable {
    var configuration: ConfigState.Snapshot
    /// The time of the reading.
    var time = Timestamp.now
    /// The demo's values, tweaks included.
    var values: DemoValues
    var tweaks = TweakState()
}

extension DemoState {
    /// The problems: of the source as a whole first, then of single values and rules.
    var problems: [ConfigError] { (configuration.status.problem.map { [$0] } ?? []) + problemsOfKeys }

    /// The problems of single values and rules.
    var problemsOfKeys: [ConfigError] { values.problems + configuration.snapshot.ruleProblems }

    /// The state of the connection as a glyph and a word.
    var title: String {
        if !values.problems.isEmpty { return SourceStatus.errorTitle }
        let status = configuration.status
        if status.phase == .starting, status.readingSince != nil { return "… reading" }
        switch status.problem?.code {
        case .unauthorized, .forbidden: return status.title == SourceStatus.errorTitle ? "✖ refused" : status.title
        case .notFound: return status.phase == .offline ? "✖ missing" : status.title
        case .ended: return "■ ended"
        default: return status.title
        }
    }

    /// The keys whose values on the screen are not those of the source.
    var notes: [String: KeyNote] {
        var notes: [String: KeyNote] = [:]
        let entries = configuration.snapshot.entries
        func note(_ key: String, _ problem: ConfigError?, else value: String?) {
            guard notes[key]?.problem == nil, let used = values.text(forKey: key) ?? value else { return }
            notes[key] = KeyNote(problem: problem, isTweaked: values.tweaked.contains(key), effectiveValue: used)
        }
        for key in values.tweaked { note(key, nil, else: nil) }
        for problem in values.problems { if let key = problem.key { note(key, problem, else: nil) } }
        for problem in configuration.snapshot.ruleProblems {
            if let key = problem.key, let entry = entries[key] { note(key, problem, else: entry.value.canonicalJSON) }
        }
        return notes
    }
}

extension SourceStatus {
    /// The word for a source that cannot be used, and for values that cannot.
    static let errorWord = "error"
    /// The same with its glyph.
    static let errorTitle = "✖ error"

    /// The state of the connection as a word.
    var word: String {
        switch phase {
        case .streaming, .polling: if hasFailed { Self.errorWord } else { phase == .streaming ? "live" : "polling" }
        case .starting, .offline, .stopped: phase.rawValue
        }
    }

    /// The draft whose preview is shown, such as `preview of draft k3x9m2ab`; empty for a configuration.
    var previewText: String { preview.map { "preview of draft \($0)" } ?? "" }

    /// The word after a single read, when nothing follows the source.
    var wordOnceRead: String { phase == .polling && !hasFailed ? "live" : word }

    /// The state of the connection as a glyph and a word.
    var title: String {
        switch phase {
        case .starting: "… \(word)"
        case .streaming, .polling: hasFailed ? Self.errorTitle : (phase == .streaming ? "●" : "≈") + " \(word)"
        case .offline: "○ \(word)"
        case .stopped: "■ \(word)"
        }
    }
}

extension SourceStatus {
    /// The problem with the source, which is named also where the problem does not name it: it may be one of several.
    var problemOfSource: String? { problem.map { $0.source == nil ? "\(source): \($0)" : "\($0)" } }
}

extension ConfigState.Snapshot {
    /// A note where the source is a namespace of a server in which nothing was ever written: its name may be mistyped.
    var noteOnNamespace: String? {
        guard snapshot.cursor?.revision == 0 else { return nil }
        return "the namespace of \(status.source) is empty and has no history; check its name"
    }

    /// The same as a sentence.
    var sentenceOnNamespace: String? { noteOnNamespace.map { $0.prefix(1).uppercased() + $0.dropFirst() + "." } }
}

/// The reason why the value of a key differs from the source's.
struct KeyNote: Hashable, Sendable {
    /// The error because of which the source's value cannot be used.
    var problem: ConfigError?
    /// Whether a tweak overrides the source.
    var isTweaked: Bool
    /// The value that is used, as text.
    var effectiveValue: String
}
