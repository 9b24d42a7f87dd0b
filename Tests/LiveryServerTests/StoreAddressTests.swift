// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import EtcdStore
import MariaDBStore
import Testing

@testable import LiveryServer

struct StoreAddressTests {
    struct Example: Sendable {
        var text: String
        var address: StoreAddress
    }

    @Test(arguments: [
        Example(text: "livery.sqlite", address: .sqlite(path: "livery.sqlite")),
        Example(text: "/var/lib/a:b@c?d", address: .sqlite(path: "/var/lib/a:b@c?d")),
        Example(
            text: "mariadb://livery@localhost/config",
            address: .mariaDB(MariaDBAddress(user: "livery", database: "config", tls: StoreTLS(mode: .off)))
        ),
        Example(
            text: "MariaDB://li%40very@db.example:3307/con%2dfig/",
            address: .mariaDB(
                MariaDBAddress(
                    user: "li@very",
                    host: "db.example",
                    port: 3307,
                    database: "con-fig",
                    tls: StoreTLS(mode: .on)
                )
            )
        ),
        Example(
            text: "mariadb://u@[2001:db8::1]/d?tls=off",
            address: .mariaDB(MariaDBAddress(user: "u", host: "2001:db8::1", database: "d", tls: StoreTLS(mode: .off)))
        ),
        Example(
            text: "mariadb://u@/d?socket=/run/my%20sql.sock",
            address: .mariaDB(MariaDBAddress(user: "u", database: "d", socket: "/run/my sql.sock"))
        ),
        Example(
            text: "mariadb://u@127.0.0.1/d?ca=/ca.pem&cert=c.pem&key=k.pem",
            address: .mariaDB(
                MariaDBAddress(
                    user: "u",
                    host: "127.0.0.1",
                    database: "d",
                    tls: StoreTLS(
                        mode: .on,
                        authorities: "/ca.pem",
                        identity: .init(certificate: "c.pem", privateKey: "k.pem")
                    )
                )
            )
        ),
        Example(
            text: "etcd://127.0.0.1",
            address: .etcd(EtcdAddress(members: [.init(host: "127.0.0.1", port: 2379)]))
        ),
        Example(
            text: "etcd://root@a:1,[::1]:2,c/one/two?tls=unverified",
            address: .etcd(
                EtcdAddress(
                    members: [.init(host: "a", port: 1), .init(host: "::1", port: 2), .init(host: "c", port: 2379)],
                    user: "root",
                    prefix: "one/two",
                    tls: StoreTLS(mode: .unverified)
                )
            )
        ),
        Example(
            text: "etcd://127.0.0.1:1,db.example:2/",
            address: .etcd(
                EtcdAddress(
                    members: [.init(host: "127.0.0.1", port: 1), .init(host: "db.example", port: 2)],
                    tls: StoreTLS(mode: .on)
                )
            )
        ),
    ])
    func readsAnAddress(_ example: Example) throws {
        #expect(try StoreAddress(example.text) == example.address)
    }

    @Test(arguments: [
        ("", "is empty"),
        ("mysql://u@h/d", "unknown store type 'mysql://'"),
        ("mariadb:u@h/d", "must begin with mariadb://"),
        ("mariadb://h/d", "has no user"),
        ("mariadb://@h/d", "no user before the @"),
        ("mariadb://u@h", "one database name"),
        ("mariadb://u@h/", "one database name"),
        ("mariadb://u@h/d/e", "one database name"),
        ("mariadb://u@/d", "invalid host"),
        ("mariadb://u@h:0/d", "invalid host"),
        ("mariadb://u@h:70000/d", "invalid host"),
        ("mariadb://u@h h/d", "invalid host"),
        ("mariadb://u@a,b/d", "several hosts"),
        ("mariadb://u@h/d?tls=maybe", "must be on, unverified or off"),
        ("mariadb://u@h/d?tls=on&tls=off", "requires one value"),
        ("mariadb://u@h/d?tls", "requires one value"),
        ("mariadb://u@h/d?cert=c", "used together"),
        ("mariadb://u@h/d?tls=off&ca=c", "have no effect"),
        ("mariadb://u@h/d?sokcet=s", "unknown store option 'sokcet'"),
        ("mariadb://u%@h/d", "invalid percent-encoding"),
        ("mariadb://u%00@h/d", "invalid percent-encoding"),
        ("etcd:///prefix", "invalid host"),
        ("etcd://a,b:x", "invalid host"),
        ("etcd://a/b//c", "an empty segment"),
        ("etcd://a/b?socket=s", "unknown store option 'socket'; expected one of tls, ca, cert, key"),
    ])
    func errorDescribesTheCause(text: String, reason: String) {
        let error = #expect(throws: ConfigError.self) { try StoreAddress(text) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        "mariadb://u:hunter2@h/d", "mariadb://u:hunt@er2/hunter2@h/d", "etcd://u:hunter2@h", "mariadb://:hunter2@h/d",
        "mariadb:/u:hunter2@h/d", "mariadb://u@h/d?password=hunter2", "mysql://u:hunter2@h/d", "etcd:u:hunter2@h",
    ])
    func refusesAPasswordAndDoesNotRepeatIt(text: String) {
        let error = #expect(throws: ConfigError.self) { try StoreAddress(text) }
        #expect(error?.description.contains("er2") == false)
    }
}
