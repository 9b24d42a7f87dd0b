// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Tells who waits what is going on, on standard error, so that standard output is the results alone.
func progress(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
}
