// SPDX-License-Identifier: Apache-2.0

#if ServiceLifecycle
    public import ServiceLifecycle

    /// In a `ServiceGroup`, a graceful shutdown ends the run. Needs the trait `ServiceLifecycle`.
    extension RemoteConfigService: Service {}
#endif
