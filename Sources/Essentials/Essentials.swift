// SPDX-License-Identifier: Apache-2.0

// The part of Foundation that is sufficient here. On Linux the rest links ICU, four fifths of a static program.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
