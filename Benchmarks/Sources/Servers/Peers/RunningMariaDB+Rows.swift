// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

extension RunningMariaDB {
    /// A MariaDB with Debian's defaults.
    static func withDefaults() throws -> RunningMariaDB {
        // The tests' servers have less.
        try RunningMariaDB(options: ["--innodb-buffer-pool-size=128M"])
    }

    /// Creates the database "config" again, with a number of rows.
    func recreate(rows count: Int) throws {
        guard let schema = try? String(contentsOfFile: NodeServer.folder + "/schema.sql", encoding: .utf8) else {
            throw BenchmarkFailure("\(NodeServer.folder)/schema.sql is not there; run this in the project's folder")
        }
        try run("DROP DATABASE IF EXISTS config;\n" + schema + "\nUSE config;\n" + SampleEntries(count: count).inserts)
    }
}
