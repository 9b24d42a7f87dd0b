// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// The requests to the operator of the source that have not ended. Each runs as a separate task, so that the screen never
/// waits.
@MainActor
final class OperatorRequests {
    private let source: any SourceOperator
    private let others: OtherSources?
    private let executor: QueueExecutor
    private let files: ImportFiles
    private var tasks: [(request: OperatorRequest, number: Int, task: Task<Void, Never>)] = []
    private var lastNumber = 0

    /// - Parameters:
    ///   - others: reads other sources.
    ///   - files: the documents to import.
    ///   - executor: where requests run.
    init(
        source: any SourceOperator,
        others: OtherSources?,
        files: ImportFiles,
        executor: QueueExecutor
    ) {
        (self.source, self.others, self.files, self.executor) = (source, others, files, executor)
    }

    /// Sends a request, unless the same one is on its way.
    ///
    /// - Parameter receive: takes the answer, unless the request is cancelled before.
    func send(_ request: OperatorRequest, _ receive: @escaping @MainActor (OperatorAnswer) -> Void) {
        guard !tasks.contains(where: { $0.request == request }) else { return }
        lastNumber += 1
        let number = lastNumber
        let task = Task(executorPreference: executor) { [self, source, others, files] in
            let answer = await source.answer(request, with: others, files)
            await finish(number, answer, receive)
        }
        tasks.append((request, number, task))
    }

    func cancel(_ request: OperatorRequest) {
        guard let index = tasks.firstIndex(where: { $0.request == request }) else { return }
        tasks.remove(at: index).task.cancel()
    }

    private func finish(_ number: Int, _ answer: OperatorAnswer, _ receive: @MainActor (OperatorAnswer) -> Void) {
        guard let index = tasks.firstIndex(where: { $0.number == number }) else { return }
        tasks.remove(at: index)
        receive(answer)
    }
}
