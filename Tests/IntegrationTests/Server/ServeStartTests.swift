// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The start of `livery-server`, and its errors.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct ServeStartTests {
    struct Hindrance: Sendable {
        var arguments: [String]
        var environment: [String: String] = [:]
        var code: Int32
        var message: String

        init(arguments: [String], environment: [String: String] = [:], code: Int32, message: String) {
            (self.arguments, self.environment) = (arguments, environment)
            (self.code, self.message) = (code, message)
        }

        /// A variable that is not understood.
        init(variable: String, _ value: String, message: String) {
            self.init(arguments: [], environment: [variable: value], code: 64, message: message)
        }
    }

    @Test(arguments: [
        Hindrance(arguments: ["--adress", "x"], code: 64, message: "Did you mean '--address'?"),
        Hindrance(arguments: ["--address", "nonsense"], code: 64, message: "not 'nonsense'"),
        Hindrance(arguments: ["--address", "localhost:70000"], code: 64, message: "host:port"),
        Hindrance(arguments: ["--address", "0.0.0.0:0"], code: 64, message: "--token-file"),
        Hindrance(variable: "LIVERY_ADDRESS", "0.0.0.0:0", message: "--token-file"),
        Hindrance(arguments: ["--heartbeat", "0"], code: 64, message: "--heartbeat must be an integer from 1"),
        Hindrance(arguments: ["--heartbeat", "60"], code: 64, message: "from 1 to 20"),
        Hindrance(variable: "LIVERY_HEARTBEAT", "60", message: "from 1 to 20"),
        Hindrance(variable: "LIVERY_LOG_LEVEL", "loud", message: "LIVERY_LOG_LEVEL must be one"),
        Hindrance(arguments: ["--store-password-file", "p"], code: 64, message: "requires a MariaDB or etcd store"),
        Hindrance(
            arguments: ["backup", "c", "--drain", "3"],
            code: 64,
            message: "is an option of 'livery-server serve'"
        ),
        Hindrance(arguments: ["help", "nope"], code: 64, message: "Unknown command 'nope'"),
        Hindrance(arguments: ["--trusted-proxy", "proxy.example"], code: 64, message: "not 'proxy.example'"),
        Hindrance(arguments: ["--allow-host", "http://config.test"], code: 64, message: "without scheme and port"),
        Hindrance(variable: "LIVERY_TRUSTED_PROXY", "10.0.0.1,10.0.0.0/33", message: "not '10.0.0.0/33'"),
        Hindrance(variable: "LIVERY_ALLOW_HOST", "config.test:80", message: "not 'config.test:80'"),
        Hindrance(arguments: ["--token-file", "missing"], code: 66, message: "missing does not exist; create it with"),
        Hindrance(arguments: ["--token-file", "/"], code: 66, message: "the token file / cannot be read"),
        Hindrance(variable: "LIVERY_TOKENFILE", "t", message: "did you mean LIVERY_TOKEN_FILE?"),
        Hindrance(
            arguments: ["--store", "mariadb://u@h/d", "--store-password-file", "missing"],
            code: 66,
            message: "cannot read the password file missing: "
        ),
        Hindrance(
            arguments: ["--store", "etcd://h/p", "--store-password-file", "/etc/passwd"],
            code: 77,
            message: "is accessible to all users; run chmod o="
        ),
        Hindrance(
            arguments: ["--store", "etcd://h/p?cert=/etc/passwd&key=/etc/passwd"],
            code: 77,
            message: "the private key /etc/passwd is accessible to all users; run chmod o="
        ),
        Hindrance(
            arguments: ["--store", "mariadb://u@h/d?cert=/etc/passwd&key=/etc/passwd"],
            code: 77,
            message: "the private key /etc/passwd is accessible to all users; run chmod o="
        ),
        Hindrance(arguments: ["--store", "mysql://u@h/d"], code: 64, message: "unknown store type 'mysql://'"),
        Hindrance(variable: "LIVERY_STORE", "mariadb://u:hunter2@h/d", message: "contains a password"),
        Hindrance(arguments: ["backup", "copy", "--store", "mariadb://u@h/d"], code: 64, message: "mariadb-dump"),
        Hindrance(arguments: ["restore", "copy", "--store", "etcd://h"], code: 64, message: "etcdctl snapshot"),
        Hindrance(arguments: ["--tls-certificate", "c.pem"], code: 64, message: "--tls-private-key"),
        Hindrance(
            arguments: ["--tls-certificate", "c.pem", "--tls-private-key", "k.pem"],
            code: 66,
            message: "cannot read the certificate c.pem: "
        ),
    ])
    func startFailuresAreReportedInOneLine(hindrance: Hindrance) throws {
        let output = try liveryServer(hindrance.arguments, environment: hindrance.environment)
        #expect(output.status == .exited(hindrance.code), "\(output)")
        #expect(output.standardOutput.isEmpty)
        // Warnings depend on the machine, such as its limit of open files.
        let lines = output.standardError.split(separator: "\n").filter { !$0.contains(" warning ") }
        let first = lines.first ?? ""
        let isUsage = hindrance.code == 64 && first.hasPrefix("Error: ")
        #expect(isUsage || first.hasPrefix("livery-server: ") && lines.count == 1, "\(output.standardError)")
        #expect(first.contains(hindrance.message), "\(first)")
        #expect(try Self.codesOfNoRestart().contains(hindrance.code))
    }

    @Test func aDamagedStoreEndsTheServerForGood() throws {
        let folder = try TemporaryDirectory(prefix: "server")
        try folder.write(String(repeating: "no database ", count: 1000), to: "livery.sqlite")
        let output = try liveryServer(["--address", "127.0.0.1:0"], in: folder)
        #expect(output.status == .exited(65), "\(output)")
        #expect(output.standardError.contains("livery-server: the file 'livery.sqlite' is not a valid database"))
        #expect(!output.standardError.contains("CancellationError"), "\(output.standardError)")
        #expect(try Self.codesOfNoRestart().contains(65))
    }

    @Test func aTokenOfAClientIsNotThatOfTheServer() throws {
        let server = try RunningServer(environment: ["LIVERY_TOKEN": "livery_x"])
        #expect(server.output.contains("warning LIVERY_TOKEN is a client setting and is ignored"))
    }

    @Test func unusableSecretsAreReportedByName() throws {
        let certificates = try TestCertificates()
        let folder = certificates.folder
        try folder.write("# no token\n", to: "tokens")
        try folder.writeSecret("", to: "empty")
        try folder.writeSecret("# no token\n\n", to: "none")
        let setup = "chmod 644 tokens; cp server.key open.key; chmod 640 server.key; chmod 604 open.key"
        #expect(try Command.shell(setup, workingDirectory: folder.path).run().status.isSuccess)
        func start(_ arguments: String...) throws -> Command.Output {
            try liveryServer(["--address", "192.0.2.1:1"] + arguments, in: folder)
        }
        func startWithKey(_ key: String, _ certificate: String = "server.pem") throws -> Command.Output {
            try start("--tls-certificate", certificate, "--tls-private-key", key)
        }
        for (output, code, message) in [
            (try start("--token-file", "tokens"), 77, "the token file tokens is accessible to all users; run chmod o="),
            (try start("--token-file", "empty"), 65, "empty: the token file contains no tokens"),
            (try start("--token-file", "none"), 65, "none: the token file contains no tokens"),
            (try startWithKey("open.key"), 77, "the private key open.key is accessible to all users; run chmod o="),
            (try startWithKey("other.key"), 65, "other.key does not match the certificate server.pem; pass"),
            (try startWithKey("client-locked.key"), 65, "client-locked.key is not a private key in PEM form with"),
            (try startWithKey("server.key", "server.key"), 65, "server.key is not a certificate in PEM form"),
            // The pair itself is valid: the address is rejected.
            (try startWithKey("server.key"), 64, "refusing to listen on 192.0.2.1:1 without tokens"),
        ] {
            #expect(output.status == .exited(Int32(code)) && output.standardError.contains(message), "\(output)")
        }
    }

    /// The exit codes after which the unit does not restart the server, since a person must act.
    private static func codesOfNoRestart() throws -> [Int32] {
        let unit = try String(contentsOf: sourceFile("Packaging/livery-server.service"), encoding: .utf8)
        let lines = unit.split(separator: "\n").filter { $0.hasPrefix("RestartPreventExitStatus=") }
        return lines.flatMap { $0.split(separator: "=")[1].split(separator: " ").compactMap { Int32($0) } }
    }

    private static let numbers = ["history-days", "max-connections", "idle-timeout", "heartbeat", "drain"]

    @Test(
        arguments: numbers.flatMap { [($0, "9223372036854775807"), ($0, "0")] }
            + ["9223372036854775808", "-1", "1e3", ""].map { ("drain", $0) }
    )
    func invalidNumbersAreRefused(name: String, number: String) throws {
        let variable = "LIVERY_" + name.replacing("-", with: "_").uppercased()
        let flag = try liveryServer(["--\(name)=\(number)", "--address", "192.0.2.1:1"])
        let environment = try liveryServer(["--address", "192.0.2.1:1"], environment: [variable: number])
        #expect(flag.status == .exited(64), "\(flag)")
        #expect(flag.standardError.contains("--\(name)"))
        #expect(!flag.standardError.contains("belongs"), "\(flag)")
        // An empty variable is one that is not set.
        guard !number.isEmpty else { return }
        #expect(environment.status == .exited(64), "\(environment)")
        #expect(environment.standardError.contains("Error: \(variable) must be an integer from 1 to "))
    }

    @Test func tokensWithoutEncryptionAreWarnedAbout() throws {
        let folder = try TemporaryDirectory(prefix: "server")
        _ = try makeToken("reader", role: "read", in: folder)
        // An address for documentation, which no machine has.
        let output = try liveryServer(["--address", "192.0.2.1:3000", "--token-file", "tokens"], in: folder)
        #expect(output.status == .exited(1))
        #expect(output.standardError.contains(" warning clients send tokens without encryption; use --tls-certificate"))
        let last = output.standardError.split(separator: "\n").last ?? ""
        #expect(
            last
                == """
                livery-server: address: cannot listen on 192.0.2.1:3000: not an address of this machine; choose \
                another (--address)
                """
        )
    }

    /// A service manager has to start the server again then, since it may be right a moment later.
    @Test func aPortInUseIsReported() throws {
        let server = try RunningServer()
        let output = try liveryServer(["--address", "127.0.0.1:\(server.port)"])
        #expect(output.status == .exited(1))
        #expect(try !Self.codesOfNoRestart().contains(1))
        #expect(
            output.standardError.contains(
                "cannot listen on 127.0.0.1:\(server.port): already in use by another program"
            )
        )
        #expect(try server.ask("GET", "/ready").status == 200)
    }

    @Test func flagsOverrideVariables() throws {
        let folder = try TemporaryDirectory(prefix: "server")
        let token = try makeToken("reader", role: "read", in: folder)
        let server = try RunningServer(
            environment: [
                "LIVERY_ADDRESS": "0.0.0.0:1", "LIVERY_STORE": "other.sqlite", "LIVERY_TOKEN_FILE": "tokens",
                "LIVERY_CORS_ORIGIN": "https://a.example,https://b.example", "LIVERY_LOG_FORMAT": "json",
            ],
            folder: folder
        )
        #expect(server.address.hasPrefix("http://127.0.0.1:"))
        for origin in ["https://a.example", "https://b.example", "https://c.example"] {
            let answer = try server.ask("GET", "/v1/default/config", ["Origin: \(origin)"], token: token)
            let isAllowed = origin != "https://c.example"
            #expect(answer.status == (isAllowed ? 200 : 403))
            #expect((answer["access-control-allow-origin"] == origin) == isAllowed)
        }
        #expect(try server.ask("GET", "/v1/default/config").status == 401)
        #expect(FileManager.default.fileExists(atPath: folder["other.sqlite"]))
        try server.stop()
        for line in server.output.split(separator: "\n") {
            let members = try jsonMembers(line)
            #expect(["level", "message", "time"].allSatisfy { members[$0] is String }, "\(line)")
        }
    }

    @Test func aSecondServerOnTheSameFileWaits() throws {
        let first = try RunningServer()
        #expect(try first.set("a", "1") == 201)
        let second = try RunningServer(folder: first.folder, awaitsStore: false)
        #expect(try second.ask("GET", "/health").status == 200)
        for target in ["/ready", "/v1/default/config", "/v1", "/config"] {
            let answer = try second.ask("GET", target)
            #expect(answer.status == 503, "\(target)")
            #expect(answer["retry-after"] != nil, "\(target)")
        }
        #expect(try second.set("a", "2") == 503)
        #expect(second.output.contains("is in use by another server"))
        #expect(try first.stop() == .exited(0))
        try until("the second to take over", lastState: second.output) {
            try second.ask("GET", "/ready").status == 200
        }
        let entry = try second.ask("GET", "/v1/default/entries/a")
        #expect(entry.text.contains("\"value\":1"))
    }
}
