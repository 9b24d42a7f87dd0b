// SPDX-License-Identifier: Apache-2.0

import ConfigClient
import ConfigModel
import ConfigWire
import Files
import Programs
import TerminalUI

/// The note about a namespace that does not exist, or that a command has created: its name may be mistyped.
struct NamespaceNote {
    let name: String
    let server: String
    /// The existing namespaces that the token may read.
    let present: [String]

    var exists: Bool { present.contains(name) }

    /// `nil` where there is nothing to say: a new server has no namespaces at all.
    var missing: String? {
        if exists || name == NamespaceRule.standard && present.isEmpty { return nil }
        return "namespace '\(name)' not found at \(server)\(alternatives)"
    }

    /// The created namespace; `nil` for the default one.
    var created: String? {
        guard exists, name != NamespaceRule.standard else { return nil }
        let others = similar.map { "; a similar one exists: \($0.quoted)" } ?? ""
        return "created the namespace '\(name)'\(others)"
    }

    private var alternatives: String {
        if let similar { return "; did you mean \(similar.quoted)?" }
        if present.isEmpty { return "" }
        let rest = present.count > 5 ? " and \((present.count - 5).grouped) more" : ""
        return "; existing namespaces: \(present.prefix(5).joined(separator: ", "))\(rest)"
    }

    private var similar: String? { name.closest(of: present.filter { $0 != name }) }
}

extension OperatorSession {
    /// Reports on standard error if the namespace does not exist, or was created by this command.
    func reportNamespace() async {
        guard client.wasNotFound, let note = await note() else { return }
        report(note.exists ? note.created : note.missing)
    }

    /// Reports on standard error if the namespace does not exist, after a command has found nothing in it.
    func reportMissingNamespace() async { report(await note()?.missing) }

    /// Distinguishes an empty namespace from one that does not exist, such as a mistyped one.
    ///
    /// - Parameter revision: the revision at which the namespace was found empty; `nil` for the current one.
    /// - Throws: `notFound` if it does not exist.
    func requireNamespace(at revision: UInt64?) async throws(ConfigError) {
        if revision != nil { _ = try await client.snapshot() }
        guard client.wasNotFound else { return }
        if let note = await note(), note.missing == nil { return }
        throw ConfigError(.notFound, "nothing was exported")
    }

    /// The error with the reason why nothing was found, if that is the namespace.
    func explaining(_ error: any Error) async -> any Error {
        guard var missing = error as? ConfigError, missing.code == .notFound else {
            await reportNamespace()
            return error
        }
        if let reason = await note()?.missing { missing.message += "; \(reason)" }
        return missing
    }

    private func report(_ sentence: String?) {
        guard let sentence else { return }
        let end = sentence.hasSuffix("?") ? "" : "."
        Output.error.writeLine("\(sentence.prefix(1).uppercased())\(sentence.dropFirst())\(end)".sanitized())
    }

    /// `nil` if the server does not say.
    private func note() async -> NamespaceNote? {
        guard let info = try? await client.info() else { return nil }
        return NamespaceNote(
            name: client.address.namespace,
            server: client.address.text,
            present: info.namespaces.map(\.name)
        )
    }
}

extension String {
    fileprivate var quoted: String { "'\(self)'" }
}
