// SPDX-License-Identifier: Apache-2.0

#if YAML
    internal import CYaml
    internal import ConfigModel

    /// The events of libyaml for a text, one after another; it keeps its own depth on the heap.
    final class YAMLEvents {
        enum Event {
            case mappingStart(Node)
            case sequenceStart(Node)
            case scalar(String, isPlain: Bool, Node)
            case alias(String)
            case end
            case documentStart
            case documentEnd
            case streamEnd
        }

        /// The properties before a node.
        struct Node {
            var anchor: String?
            var tag: String?
        }

        private static let maximumDirectives = 64
        private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        private let text: UnsafeMutableBufferPointer<UInt8>

        /// - Parameter text: UTF-8.
        init(_ text: [UInt8]) throws(ConfigError) {
            // libyaml compares each directive with all before it.
            var directives = 0
            for index in text.indices.dropFirst() where text[index] == UInt8(ascii: "%") && text[index - 1] == 0x0A {
                directives += 1
            }
            guard directives <= Self.maximumDirectives else {
                let message = "more than \(Self.maximumDirectives) directives (lines that begin with '%')"
                throw ConfigError(.tooLarge, message + "; remove them")
            }
            self.text = .allocate(capacity: text.count)
            _ = self.text.initialize(from: text)
            parser.initialize(to: yaml_parser_t())
            guard yaml_parser_initialize(parser) == 1 else {
                throw ConfigError(.unreadable, "out of memory while reading the document")
            }
            yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(parser, self.text.baseAddress, text.count)
        }

        deinit {
            yaml_parser_delete(parser)
            parser.deallocate()
            text.deallocate()
        }

        /// The next event and its place.
        func next() throws(ConfigError) -> (event: Event, place: TextLocation) {
            var event = yaml_event_t()
            while true {
                guard yaml_parser_parse(parser, &event) == 1 else { throw problem }
                defer { yaml_event_delete(&event) }
                let place = TextLocation(event.start_mark)
                switch event.type {
                case YAML_MAPPING_START_EVENT:
                    let start = event.data.mapping_start
                    return (.mappingStart(Node(anchor: Self.text(start.anchor), tag: Self.text(start.tag))), place)
                case YAML_SEQUENCE_START_EVENT:
                    let start = event.data.sequence_start
                    return (.sequenceStart(Node(anchor: Self.text(start.anchor), tag: Self.text(start.tag))), place)
                case YAML_SCALAR_EVENT:
                    let scalar = event.data.scalar
                    let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
                    let text = String(decoding: bytes, as: UTF8.self)
                    let node = Node(anchor: Self.text(scalar.anchor), tag: Self.text(scalar.tag))
                    return (.scalar(text, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE, node), place)
                case YAML_ALIAS_EVENT: return (.alias(Self.text(event.data.alias.anchor) ?? ""), place)
                case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT: return (.end, place)
                case YAML_DOCUMENT_START_EVENT: return (.documentStart, place)
                case YAML_DOCUMENT_END_EVENT: return (.documentEnd, place)
                case YAML_STREAM_START_EVENT: continue
                default: return (.streamEnd, place)
                }
            }
        }

        private static func text(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
            bytes.map { String(cString: $0) }
        }

        private var problem: ConfigError {
            let problem = parser.pointee.problem.map { String(cString: $0) } ?? "malformed document"
            let context = parser.pointee.context.map { " " + String(cString: $0) } ?? ""
            let isOfReader = parser.pointee.error == YAML_READER_ERROR
            let (offset, mark) = (Int(clamping: parser.pointee.problem_offset), parser.pointee.problem_mark)
            let place = isOfReader ? place(ofByte: offset) : TextLocation(mark)
            return ConfigError(.syntax, "invalid YAML: \(problem)\(context)", location: place)
        }

        private func place(ofByte offset: Int) -> TextLocation {
            let before = Array(text.prefix(offset))
            let lines = before.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let last = String(decoding: lines.last ?? [], as: UTF8.self)
            return TextLocation(line: max(lines.count, 1), column: last.unicodeScalars.count + 1)
        }
    }

    extension TextLocation {
        fileprivate init(_ mark: yaml_mark_t) {
            self.init(line: Int(clamping: mark.line) + 1, column: Int(clamping: mark.column) + 1)
        }
    }
#endif
