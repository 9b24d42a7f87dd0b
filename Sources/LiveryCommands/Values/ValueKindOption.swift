// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges

extension ValueKind: ExpressibleByArgument {}

struct ValueKindOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("Set the type of the value: \(ValueKind.allCases.map(\.rawValue).joined(separator: ", ")).")
    )
    var type: ValueKind?
}
