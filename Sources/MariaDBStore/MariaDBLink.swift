#if MariaDB
    internal import ConfigStore

    /// A connection that is made when it is needed, and made anew after it was lost, less and less often while that
    /// fails. It belongs to one thread.
    final class MariaDBLink {
        private let connect: () throws -> MariaDBConnection
        private var connection: MariaDBConnection?
        private var backoff = Backoff(from: .milliseconds(25), to: .seconds(2))
        private var refusal: (until: ContinuousClock.Instant, error: any Error)?

        init(connect: @escaping () throws -> MariaDBConnection) {
            self.connect = connect
        }

        /// Does something with the connection, which is let go of if it is lost meanwhile.
        func use<Value>(_ body: (MariaDBConnection) throws -> Value) throws -> Value {
            do {
                return try body(try connected())
            } catch let error as MariaDBError where error.isLostConnection {
                connection = nil
                throw error
            } catch let error as LostAnswer {
                connection = nil
                throw error
            }
        }

        /// Does something that may be done twice: once more if a connection from before was lost.
        func read<Value>(_ body: (MariaDBConnection) throws -> Value) throws -> Value {
            let isFromBefore = connection != nil
            do {
                return try use(body)
            } catch let error as MariaDBError where error.isLostConnection && isFromBefore {
                return try use(body)
            }
        }

        private func connected() throws -> MariaDBConnection {
            if let connection { return connection }
            if let refusal, refusal.until > .now { throw refusal.error }
            do {
                let connection = try connect()
                self.connection = connection
                (backoff, refusal) = (Backoff(), nil)
                return connection
            } catch {
                refusal = (.now + backoff.next(), error)
                throw error
            }
        }
    }
#endif
