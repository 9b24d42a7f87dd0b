// SPDX-License-Identifier: Apache-2.0

// `TokenProvider`, `BearerToken` and `TransportOptions` are part of the sources' interface: an app imports this module alone.
@_exported public import ConfigClient
