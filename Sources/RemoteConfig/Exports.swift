// SPDX-License-Identifier: Apache-2.0

// What the interface of sources has from the client of a server: an app imports this module alone.
@_exported public import struct ConfigClient.BearerToken
@_exported public import struct ConfigClient.TokenProvider
@_exported public import struct ConfigClient.TransportOptions
