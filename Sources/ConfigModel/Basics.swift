// SPDX-License-Identifier: Apache-2.0

// Exact strings, colours and kinds of error are words of the vocabulary, and belong to kits as well.
@_exported public import Basics
