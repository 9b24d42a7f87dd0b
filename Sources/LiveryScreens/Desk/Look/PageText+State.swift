// SPDX-License-Identifier: Apache-2.0

import TerminalUI

extension PageText {
    init(columns: Int, _ state: PanelState) {
        self.init(columns: max(columns, 1), preview: state.preview, clock: state.look.clock)
    }
}

extension ActiveLine {
    /// A line of a page on another screen, where a click on it does nothing.
    init(of line: ListLine) { self.init(line.spans.map { Span($0.text, $0.tone) }) }
}
