import ConfigModel
import Foundation
import TerminalUI
import Testing

@testable import LiveryApp

struct DemoVersionTests {
    private static let warning = "Out of date: this is 1.0.0, 2.0.0 is required"

    @Test func aProgramThatIsOutOfDateSaysSoOnTop() throws {
        var model = try Demo.model(Demo.document(minimumVersion: "2.0.0"))
        #expect(model.lines[0].contains(Self.warning))
        try model.read(Demo.document(minimumVersion: "1.0.0"))
        #expect(!model.lines.contains { $0.contains("Out of date") })
    }

    @Test func aProgramThatIsUpToDateSaysSoInTheStatusLineIfThereIsRoom() throws {
        let model = try Demo.model(size: Size(columns: 200, rows: 24))
        #expect(model.statusLine.contains("Up to date"))
    }

    @Test(arguments: [(1, 1), (2, 1), (1, 2), (10, 3), (20, 5), (46, 6), (80, 7), (80, 24)])
    func theWarningFitsIntoEveryScreen(_ columns: Int, _ rows: Int) throws {
        let json = Demo.document(minimumVersion: "2.0.0")
        let model = try Demo.model(json, size: Size(columns: columns, rows: rows))
        #expect(model.view().faults == [])
        if columns >= 80 { #expect(model.lines.contains { $0.contains("Out of date: this is 1.0.0") }) }
    }

    @Test func theInspectorNamesTheVersion() throws {
        var model = try Demo.model(Demo.document(minimumVersion: "2.0.0"))
        model.press("i")
        #expect(model.lines.contains { $0.contains("This is livery 1.0.0. " + Self.warning) })
    }

    @Test func aMalformedVersionIsAProblemWithItsKeyAndPlace() throws {
        let model = try Demo.model(Demo.document(minimumVersion: "2.0"))
        let problem = try #require(model.problems.first)
        #expect(problem.key == "app.min_version")
        #expect(problem.source == "config.json" && problem.location != nil)
        #expect(model.statusLine.contains("app.min_version"))
        #expect(!model.lines.contains { $0.contains("Out of date") })
    }

    @Test func theReportsSayIt() throws {
        let report = PlainReport(try Demo.configuration(Demo.document(minimumVersion: "2.0.0")))
        #expect(report.text(clock: .utc).contains("version:     \(Self.warning)\n"))
        let facts = try JSONSerialization.jsonObject(with: Data(report.json().utf8)) as? [String: Any]
        #expect(facts?["isUpToDate"] as? Bool == false)
        #expect(facts?["version"] as? String == "1.0.0")
        #expect((facts?["settings"] as? [String: String])?["app.min_version"] == "2.0.0")
    }
}
