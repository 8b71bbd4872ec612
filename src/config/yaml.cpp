#include "config/yaml.h"

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <sstream>

#include "base/limits.h"
#include "config/internal/scalar.h"
#include "config/internal/yaml_text.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::config {

using base::ErrorCode;
using internal::harmless;
using internal::kByteOrderMark;
using internal::kCoreTag;
using internal::place_in;
using internal::shown_tag;
using value::Array;
using value::Object;
using value::Value;

static_assert(base::kYamlBytesMax < std::numeric_limits<std::uint32_t>::max());

// Builds the value and its source map from the events of the library. Ignores all events after the
// first error.
class YamlBuilder final : public YAML::EventHandler {
  public:
    // Offsets of events count from `start` on.
    YamlBuilder(std::string_view whole_text, std::size_t start_offset)
        : text_(whole_text), start_(start_offset) {}

    std::optional<base::Error> error;
    Value value;
    SourceMap source_map;

    void fail(ErrorCode code, std::size_t offset, std::vector<std::string> words = {}) {
        if (!error) {
            error.emplace(code, std::move(words), place_in(text_, offset));
        }
    }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ > 1) {
            fail(ErrorCode::kYamlDocuments, offset_of(mark));
        }
    }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        if (error) {
            return;
        }
        if (expects_key()) {
            fail(ErrorCode::kYamlBadKey, offset_of(mark));
            return;
        }
        finish(Value(), leaf(mark), anchor, 1, 0);
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        if (error) {
            return;
        }
        const auto found = anchors_.find(anchor);
        if (expects_key()) {
            fail(ErrorCode::kYamlBadKey, offset_of(mark));
        } else if (found == anchors_.end()) {
            fail(ErrorCode::kYamlAliasInside, offset_of(mark));
        } else if (open_.size() + found->second.height > base::kYamlDepthMax) {
            fail(ErrorCode::kTooDeep, offset_of(mark), {std::to_string(base::kYamlDepthMax)});
        } else {
            const Anchor& meant = found->second;
            SourceMap::Node node = source_map.nodes_[meant.node];
            node.offset = offset_of(mark);
            finish(meant.value, node, 0, meant.nodes, meant.height);
        }
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& text) override {
        if (error) {
            return;
        }
        last_quoted_ = tag == "?" ? std::nullopt : std::optional(offset_of(mark));
        if (expects_key()) {
            take_key(mark, tag, text);
            return;
        }
        if (const auto scalar = scalar_of(mark, tag, text)) {
            finish(*scalar, leaf(mark), anchor, 1, 0);
        }
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value /*style*/) override {
        enter(mark, tag, anchor, false);
    }
    void OnSequenceEnd() override { leave(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value /*style*/) override {
        enter(mark, tag, anchor, true);
    }
    void OnMapEnd() override { leave(); }

    // The library takes a quote that the end of the text closes; we do not.
    void check_last_quote() {
        if (error || !last_quoted_) {
            return;
        }
        std::size_t at = *last_quoted_;
        while (at < text_.size() && text_[at] != '"' && text_[at] != '\'') {
            if (text_[at] == '|' || text_[at] == '>' || text_[at] == '\n') {
                return;
            }
            ++at;
        }
        if (at == text_.size()) {
            return;
        }
        const char quote = text_[at];
        const std::size_t begin = at;
        for (++at; at < text_.size(); ++at) {
            if (quote == '"' && text_[at] == '\\') {
                ++at;
            } else if (text_[at] == quote) {
                // '' is a quote inside.
                if (quote == '"' || !text_.substr(at + 1).starts_with('\'')) {
                    return;
                }
                ++at;
            }
        }
        fail(ErrorCode::kYamlUnclosed, begin, {std::string(1, quote)});
    }

  private:
    struct Anchor {
        Value value;
        std::uint32_t node;
        std::size_t nodes;
        std::size_t height;
    };
    struct Open {
        bool is_map;
        YAML::anchor_t anchor;
        SourceMap::Node node;
        Array array = {};
        Object object = {};
        std::optional<std::string> key = {};
        std::uint32_t key_offset = 0;
        std::vector<std::uint32_t> children = {};
        std::size_t nodes = 1;
        std::size_t height = 1;
    };

    [[nodiscard]] std::uint32_t offset_of(const YAML::Mark& mark) const {
        const std::size_t offset = start_ + static_cast<std::size_t>(std::max(mark.pos, 0));
        return static_cast<std::uint32_t>(std::min(offset, text_.size()));
    }
    [[nodiscard]] SourceMap::Node leaf(const YAML::Mark& mark) const { return {offset_of(mark)}; }
    [[nodiscard]] bool expects_key() const {
        return !open_.empty() && open_.back().is_map && !open_.back().key;
    }

    void take_key(const YAML::Mark& mark, const std::string& tag, const std::string& text) {
        Open& open = open_.back();
        const std::uint32_t offset = offset_of(mark);
        if (tag == "?" && text == "<<") {
            fail(ErrorCode::kYamlMergeKey, offset);
        } else if (tag != "?" && tag != "!" && tag != std::string(kCoreTag) + "str") {
            fail(ErrorCode::kYamlTag, offset, {shown_tag(tag)});
        } else if (text.size() > base::kKeyBytesMax) {
            fail(ErrorCode::kKeyTooLong, offset, {std::to_string(base::kKeyBytesMax)});
        } else if (const auto position = open.object.position_of(text)) {
            const SourceMap::Node& first = source_map.nodes_[open.children[*position]];
            fail(ErrorCode::kYamlDuplicateKey, offset,
                 {harmless(text), std::to_string(place_in(text_, first.key_offset).line)});
        } else {
            open.key = text;
            open.key_offset = offset;
        }
    }

    std::optional<Value> scalar_of(const YAML::Mark& mark, const std::string& tag,
                                   const std::string& text) {
        const bool plain = tag == "?";
        const std::string_view type = plain ? std::string_view()
                                      : tag.starts_with(kCoreTag)
                                          ? std::string_view(tag).substr(kCoreTag.size())
                                          : std::string_view(tag);
        if (type == "!" || type == "str") {
            return Value(std::string_view(text));
        }
        Value number;
        if (plain || type == "int" || type == "float") {
            switch (internal::parse_number(text, number)) {
                case internal::Number::kStored:
                    if (type != "int" || number.is_int()) {
                        return number;
                    }
                    break;
                case internal::Number::kRefused:
                    fail(ErrorCode::kYamlNumber, offset_of(mark), {harmless(text)});
                    return std::nullopt;
                case internal::Number::kNone:
                    break;
            }
        }
        const auto truth = internal::parse_truth(text);
        if ((plain || type == "bool") && truth) {
            return Value(*truth);
        }
        if ((plain || type == "null") && internal::is_null(text)) {
            return Value();
        }
        if (plain) {
            return Value(std::string_view(text));
        }
        fail(ErrorCode::kYamlTag, offset_of(mark), {shown_tag(tag)});
        return std::nullopt;
    }

    void enter(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, bool is_map) {
        if (error) {
            return;
        }
        const std::string_view core = is_map ? "map" : "seq";
        if (expects_key()) {
            fail(ErrorCode::kYamlBadKey, offset_of(mark));
        } else if (tag != "?" && tag != "!" && tag != std::string(kCoreTag) + std::string(core)) {
            fail(ErrorCode::kYamlTag, offset_of(mark), {shown_tag(tag)});
        } else if (open_.size() == base::kYamlDepthMax) {
            fail(ErrorCode::kTooDeep, offset_of(mark), {std::to_string(base::kYamlDepthMax)});
        } else {
            open_.push_back({.is_map = is_map, .anchor = anchor, .node = leaf(mark)});
        }
    }

    void leave() {
        if (error) {
            return;
        }
        Open open = std::move(open_.back());
        open_.pop_back();
        open.node.first_child = static_cast<std::uint32_t>(source_map.children_.size());
        open.node.child_count = static_cast<std::uint32_t>(open.children.size());
        source_map.children_.insert(source_map.children_.end(), open.children.begin(),
                                    open.children.end());
        Value made = open.is_map ? Value(std::move(open.object)) : Value(std::move(open.array));
        finish(std::move(made), open.node, open.anchor, open.nodes, open.height);
    }

    // A value is complete: into the container around it, or it is the document.
    void finish(Value made, SourceMap::Node node, YAML::anchor_t anchor, std::size_t nodes,
                std::size_t height) {
        if (!open_.empty()) {
            node.key_offset = open_.back().key_offset;
            // The library may place a value that is not written before its key.
            node.offset = std::max(node.offset, node.key_offset);
        }
        const auto index = static_cast<std::uint32_t>(source_map.nodes_.size());
        source_map.nodes_.push_back(node);
        if (anchor != 0) {
            anchors_.insert_or_assign(anchor, Anchor{made, index, nodes, height});
        }
        if (open_.empty()) {
            value = std::move(made);
            return;
        }
        Open& open = open_.back();
        open.children.push_back(index);
        open.nodes += nodes;
        open.height = std::max(open.height, height + 1);
        if (open.nodes > base::kYamlNodesMax) {
            fail(ErrorCode::kYamlTooMany, node.offset, {std::to_string(base::kYamlNodesMax)});
            return;
        }
        if (open.is_map) {
            open.object = std::move(open.object).set(std::string_view(*open.key), std::move(made));
            open.key.reset();
        } else {
            open.array = std::move(open.array).push_back(std::move(made));
        }
    }

    std::string_view text_;
    std::size_t start_;
    std::size_t documents_ = 0;
    std::vector<Open> open_;
    std::map<YAML::anchor_t, Anchor> anchors_;
    std::optional<std::size_t> last_quoted_;
};

const SourceMap::Node& SourceMap::find(const Value& root, const value::Path& path,
                                       bool& whole) const noexcept {
    const Node* node = &nodes_.back();
    const Value* at = &root;
    for (const value::Segment& segment : path) {
        const auto step = value::step_into(*at, segment);
        if (!step || step->position >= node->child_count) {
            whole = false;
            return *node;
        }
        node = &nodes_[children_[node->first_child + step->position]];
        at = step->value;
    }
    whole = true;
    return *node;
}

base::Place ParsedYaml::place_of(const value::Path& path) const {
    bool whole = false;
    return place_in(text, source_map.find(value, path, whole).offset);
}

base::Place ParsedYaml::place_of_key(const value::Path& path) const {
    bool whole = false;
    const SourceMap::Node& node = source_map.find(value, path, whole);
    const bool has_key = whole && !path.empty() && !path.back().is_index();
    return place_in(text, has_key ? node.key_offset : node.offset);
}

base::Error ParsedYaml::at(const value::Diagnostic& diagnostic) const {
    base::Error error = diagnostic.error;
    error.place = diagnostic.at_key ? place_of_key(diagnostic.path) : place_of(diagnostic.path);
    return error;
}

base::Result<ParsedYaml> parse_yaml(std::string file, std::string text) {
    if (text.size() > base::kYamlBytesMax) {
        return base::fail(ErrorCode::kTextTooLong,
                          {std::to_string(text.size()), std::to_string(base::kYamlBytesMax)});
    }
    if (const std::size_t broken = text::find_invalid(text); broken != std::string::npos) {
        return base::fail(ErrorCode::kYamlBadUtf8, {},
                          place_in(text::repair(text.substr(0, broken)), broken));
    }
    const std::size_t start = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    if (const auto bad = internal::find_forbidden(text)) {
        const char32_t c = text::decode(std::string_view(text).substr(*bad, 4)).code_point;
        return base::fail(ErrorCode::kYamlBadCharacter, {internal::code_point_name(c)},
                          place_in(text, *bad));
    }
    YamlBuilder builder(text, start);
    const auto offset_of = [start](const YAML::Exception& wrong) {
        return start + static_cast<std::size_t>(std::max(wrong.mark.pos, 0));
    };
    try {
        std::istringstream in(text.substr(start));
        YAML::Parser parser(in);
        while (parser.HandleNextDocument(builder) && !builder.error) {
        }
        builder.check_last_quote();
    } catch (const YAML::DeepRecursion& deep) {
        if (builder.error && builder.error->code == ErrorCode::kYamlBadKey) {
            builder.error.reset();
        }
        builder.fail(ErrorCode::kTooDeep, offset_of(deep), {std::to_string(base::kYamlDepthMax)});
    } catch (const YAML::Exception& wrong) {
        // The library reads an unclosed quote as a key first.
        if (!builder.error || builder.error->code == ErrorCode::kYamlBadKey) {
            builder.error = internal::explain_syntax(text, offset_of(wrong), wrong.msg);
        }
    } catch (const std::exception&) {
        builder.fail(ErrorCode::kYamlSyntax, 0);
    }
    if (builder.error) {
        return std::unexpected(std::move(*builder.error));
    }
    return ParsedYaml{std::move(file), std::move(text), std::move(builder.value),
                      std::move(builder.source_map)};
}

}  // namespace arbiter::config
