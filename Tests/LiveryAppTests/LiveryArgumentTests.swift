import ArgumentParser
import Testing

@testable import LiveryApp

struct LiveryArgumentTests {
    @Test(
        arguments: [
            ([], nil, false), (["--source", "a.json"], "a.json", false),
            (["--source=a b.json", "--json"], "a b.json", true),
            (["--json"], nil, true), (["--source", "-"], "-", false),
        ] as [([String], String?, Bool)]
    )
    func argumentsAreRead(arguments: [String], source: String?, json: Bool) throws {
        let livery = try Livery.parse(arguments)
        #expect(livery.sourceOptions.source == source)
        #expect(livery.json == json)
    }

    @Test(arguments: [["--sauce", "a"], ["--source"], ["--source", "--json"], ["a.json"], ["-x"], ["--json=yes"]])
    func whatIsNoArgumentIsRefused(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try Livery.parse(arguments) }
        #expect(error.map { Livery.exitCode(for: $0) } == .validationFailure)
    }

    @Test func aMistypedArgumentIsNamedWithTheOneThatWasMeant() throws {
        let error = try #require(#expect(throws: (any Error).self) { try Livery.parse(["--sourec", "a"]) })
        #expect(Livery.message(for: error).contains("--sourec"))
        #expect(Livery.fullMessage(for: error).contains("--source"))
    }

    @Test(arguments: ["--help", "-h"])
    func helpNamesEveryArgumentAndVariable(argument: String) throws {
        let error = try #require(#expect(throws: (any Error).self) { try Livery.parse([argument]) })
        #expect(Livery.exitCode(for: error) == .success)
        let help = Livery.fullMessage(for: error)
        for name in ["--source <path or url>", "--json", "--version", "LIVERY_SOURCE", "BROWSER"] {
            #expect(help.contains(name), "\(name)")
        }
    }

    @Test(
        arguments: [
            (["--source", "http://h/c.json", "--insecure-host", "h"], "sees only that of --token-file"),
            (["--source", "c.json", "--insecure-host", "h"], "'c.json' is a file"),
            (["--source", "http://h/c", "--insecure-host", "h", "--token-file", "/dev/null"], "the token is empty"),
            (["--source", "http://h", "--insecure-host", "h"], nil), (["--source", "http://h/c.json"], nil),
        ] as [([String], String?)]
    )
    func anOptionThatTheSourceHasNoUseForIsRefused(arguments: [String], complaint: String?) throws {
        let options = try SourceOptions.parse(arguments)
        guard let complaint else {
            _ = try options.service(environment: [:])
            return
        }
        let error = #expect(throws: (any Error).self) { try options.service(environment: [:]) }
        #expect(error.map { "\($0)" }?.contains(complaint) == true, "\(String(describing: error))")
    }

    @Test func versionIsAVersion() throws {
        let error = try #require(#expect(throws: (any Error).self) { try Livery.parse(["--version"]) })
        #expect(Livery.exitCode(for: error) == .success)
        #expect(Livery.fullMessage(for: error).split(separator: ".").count == 3)
    }
}
