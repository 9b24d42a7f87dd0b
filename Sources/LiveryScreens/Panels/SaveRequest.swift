// SPDX-License-Identifier: Apache-2.0

import Basics
import Files

/// A text to write to a file.
struct SaveRequest: Hashable, Sendable {
    var path: String
    var text: String
    /// Whether a file of this name is replaced.
    var overwrites = false

    /// Writes the file, on the executor that the task prefers: the file system may be slow.
    @concurrent func outcome() async -> SaveOutcome {
        do throws(OperationFailure) {
            let file = AtomicFile(path: path, keepsAccess: true)
            if overwrites {
                try file.replace(with: Array(text.utf8))
                return .done
            }
            return try file.create(with: Array(text.utf8)) ? .done : .exists
        } catch {
            return .failed(error.description)
        }
    }
}

extension SaveRequest {
    /// The question whether a file of this name is replaced.
    var question: Question {
        var replacing = self
        replacing.overwrites = true
        return Question(text: "\(path) exists. Replace it?", intents: [.save(replacing)])
    }
}

/// The outcome of saving.
enum SaveOutcome: Hashable, Sendable {
    case done
    /// There is a file of this name, which was not touched.
    case exists
    case failed(String)
}
