// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigModel
import ConfigStore
import EtcdStore
import Logging
import MariaDBStore
import Programs
import SQLiteStore

struct StoreChoice: ParsableArguments {
    @Option(
        .path(
            "store",
            "Store: a path for SQLite, mariadb://user@host:3306/database, or etcd://host:2379,host:2379/prefix",
            default: "./livery.sqlite",
            valueName: "address"
        )
    )
    var store: Setting<String?>

    @Option(
        .path(
            "store-password-file",
            "File with the store password, not readable by others; or set LIVERY_STORE_PASSWORD"
        )
    )
    var storePasswordFile: Setting<String?>

    func make(_ settings: Settings, historyDays: Int, logger: Logger) throws -> any EntryStore {
        let history = Duration.seconds(historyDays * 86_400)
        switch try settings.storeAddress(store) {
        case .sqlite(let path):
            guard storePasswordFile.given == nil else {
                throw ValidationError("--store-password-file requires a MariaDB or etcd store.")
            }
            var options = SQLiteEntryStore.Options()
            options.history.age = history
            return SQLiteEntryStore(path: path, options: options)
        #if MariaDB
            case .mariaDB(let address):
                try address.tls.checkPrivateKey()
                var options = MariaDBEntryStore.Options()
                options.history.age = history
                return MariaDBEntryStore(address, password: try password(settings), options: options, logger: logger)
        #else
            case .mariaDB: throw Self.missing("MariaDB")
        #endif
        #if Etcd
            case .etcd(let address):
                try address.tls.checkPrivateKey()
                var options = EtcdEntryStore.Options()
                options.history.age = history
                return EtcdEntryStore(
                    address: address,
                    password: try password(settings),
                    options: options,
                    logger: logger
                )
        #else
            case .etcd: throw Self.missing("Etcd")
        #endif
        }
    }

    private func password(_ settings: Settings) throws -> StorePassword? {
        if let path = try settings.value(storePasswordFile) { return try StorePassword(file: path) }
        return settings.variable(.storePassword).map { StorePassword($0) }
    }

    private static func missing(_ trait: String) -> ConfigError {
        ConfigError(
            .invalidSource,
            """
            livery-server was built without support for \(trait); rebuild it with 'swift build -c release --traits \
            \(trait)'
            """
        )
    }
}

extension Settings {
    func storeAddress(_ store: Setting<String?>) throws(ValidationError) -> StoreAddress {
        let text = try value(store) ?? "livery.sqlite"
        do throws(ConfigError) {
            return try StoreAddress(text)
        } catch {
            throw ValidationError(error.description)
        }
    }
}
