// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The output about a server's namespaces, and about mistyped names.
@Suite(.timeLimit(.minutes(5)))
struct NamespaceCommandTests {
    private let desk: OperatorDesk

    init() throws { desk = try OperatorDesk() }

    @Test func namespacesAreListedWithTheirRevisions() throws {
        #expect(try desk.run("namespaces", "--plain").standardOutput == "NAMESPACE  KEYS  REVISION\n")
        _ = try desk.json("set", "a=1", "b=2", "-n", "shop")
        _ = try desk.json("set", "a=1", "-n", "web")
        let table = try desk.run("namespaces", "--plain").standardOutput
        #expect(table == "NAMESPACE  KEYS  REVISION\nshop       2     1\nweb        1     2\n")
        let json = try desk.json("namespaces")
        #expect(json["revision"] as? Int == 2)
        #expect(json["server"] as? String == desk.address)
        let listed = json["namespaces"] as? [[String: Any]]
        #expect(listed?.compactMap { $0["name"] as? String } == ["shop", "web"])
        #expect(listed?.compactMap { $0["revision"] as? Int } == [1, 2])
        // An empty namespace does not exist.
        _ = try desk.json("unset", "a", "-n", "web")
        #expect((try desk.json("namespaces")["namespaces"] as? [[String: Any]])?.count == 1)
    }

    @Test func theRevisionOfAListIsOneToExpect() throws {
        _ = try desk.json("set", "a=1")
        _ = try desk.json("set", "x=1", "-n", "other")
        let revision = try #require(try desk.json("list")["revision"] as? Int)
        #expect(revision == 1)
        #expect(try desk.run("list", "--plain").standardOutput.hasSuffix("\nRevision 1.\n"))
        let schemas = try #require(try desk.json("schema", "list")["revision"] as? Int)
        let rules = try #require(try desk.json("rule", "list")["revision"] as? Int)
        #expect((schemas, rules) == (1, 1))
        #expect(try desk.run("set", "a=2", "--expect", "\(revision)").status.isSuccess)
        #expect(try desk.run("set", "a=3", "--expect", "\(revision)").status == .exited(75))
    }

    @Test func mistypedNamespaceIsReported() throws {
        _ = try desk.json("set", "a=1", "-n", "shop")
        let missing = "Namespace 'shpo' not found at \(desk.address); did you mean 'shop'?\n"
        for command in [["list"], ["history"], ["schema", "list"], ["import", "f.json", "--dry-run"]] {
            try desk.folder.write(#"{"a": 1}"#, to: "f.json")
            let output = try desk.run(command + ["-n", "shpo"])
            #expect(output.status.isSuccess, "\(output)")
            #expect(output.standardError == missing, "\(output)")
        }
        let export = try desk.run("export", "-n", "shpo", "--exact")
        #expect(export.status == .exited(1) && export.standardOutput.isEmpty)
        #expect(export.standardError == "Error: nothing was exported; n\(missing.dropFirst().dropLast())\n")
        // Nothing is reported for an existing namespace, or for a server without namespaces.
        #expect(try desk.run("get", "b", "-n", "shop").standardError.contains("namespace") == false)
        #expect(try desk.run("list", "-n", "shop").standardError.isEmpty)
        _ = try desk.json("unset", "a", "-n", "shop")
        #expect(try desk.run("list").standardError.isEmpty)
        #expect(try desk.json("export", "-n", "shop") as NSDictionary == [:])
    }
}
