#if Etcd
    import ConfigModel
    import ConfigServer
    import ConfigStoreTesting
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(5)))
    struct EtcdStoreTests {
        @Test(arguments: StoreLaw.all)
        func oneMemberKeeps(_ law: StoreLaw) async throws {
            try await law.check(in: EtcdPlace(try await SharedEtcd.single.started()))
        }
    }
#endif
