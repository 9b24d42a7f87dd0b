// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules

extension DocumentContents {
    init(of file: FlagdFile) {
        let contents = NamespaceContents(values: file.values, rules: ConfigRule.namingBucketing(in: file.rules))
        self.init(contents: contents, kinds: [.value, .rule], defaults: file.defaults)
    }
}
