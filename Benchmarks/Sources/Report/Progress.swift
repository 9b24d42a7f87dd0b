// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reports the progress on standard error, so that standard output contains the results alone.
func progress(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
}
