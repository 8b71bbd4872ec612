#include "prompt/render.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/limits.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::prompt {

using value::Array;
using value::Object;
using value::Path;
using value::Value;

namespace {

// Lists of a few short things fit on a line.
constexpr std::size_t kLineBytesMax = 80;

bool is_off(const Value* mark) noexcept {
    return mark != nullptr && ((mark->is_bool() && !mark->as_bool()) ||
                               (mark->is_string() && mark->as_string() == "false"));
}
bool is_set(const Value* mark) noexcept {
    return mark != nullptr && ((mark->is_bool() && mark->as_bool()) ||
                               (mark->is_string() && mark->as_string() == "true"));
}

// Marks that stand in lists beside their elements.
bool is_reserved_element(const Value& value) noexcept {
    return value.is_string() && value.as_string() == "$__META_EXTENSIBLE__$";
}

// A text that can stand without quotes and be taken for nothing else.
bool is_plain(std::string_view text) {
    if (text.empty() || text.front() == ' ' || text.back() == ' ' || text.back() == ':') {
        return false;
    }
    constexpr std::string_view kFirst = "-?:,[]{}#&*!|>'\"%@`~";
    if (kFirst.find(text.front()) != std::string_view::npos || text == "true" || text == "false" ||
        text == "null") {
        return false;
    }
    const auto is_numeric = [](char c) {
        return (c >= '0' && c <= '9') || c == '.' || c == '+' || c == '-' || c == 'e' || c == 'E';
    };
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (std::ranges::all_of(text, is_numeric) && std::ranges::any_of(text, is_digit)) {
        return false;
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const char next = i + 1 < text.size() ? text[i + 1] : '\0';
        if (static_cast<unsigned char>(c) < 0x20 || c == '\x7f' || c == ',' || c == '[' ||
            c == ']' || c == '{' || c == '}' || (c == ':' && next == ' ') ||
            (c == ' ' && next == '#')) {
            return false;
        }
    }
    return text != kHiddenText;
}

void append_text(std::string& out, std::string_view text) {
    if (is_plain(text)) {
        out += text;
    } else {
        value::append_json_string(out, text);
    }
}

class Renderer {
  public:
    Renderer(const StateView& view, bool in_module) : view_(view), in_module_(in_module) {}

    std::string take() && { return std::move(out_); }

    // What stands behind `key:`, or by itself.
    void scalar(const Value& value) {
        if (value.is_string()) {
            append_text(out_, value.as_string());
        } else {
            value::append_json(out_, value);
        }
    }

    void member(std::string_view key, const Value& value, std::size_t level) {
        indent(level);
        append_text(out_, key);
        out_ += ':';
        behind(key, value, level);
    }

    // The value of a member, from behind its colon to the end of its last line.
    void behind(std::string_view key, const Value& written, std::size_t level) {
        std::string_view description;
        const Value& value = undescribed(written, description);
        const bool shows = shows_description(key, description);
        const auto end = [&] {
            if (shows) {
                out_ += "  # ";
                for (const char c : description) {
                    out_ += c == '\n' || c == '\r' ? ' ' : c;
                }
            }
            out_ += '\n';
        };
        if (is_hidden(value, view_)) {
            out_ += ' ';
            out_ += kHiddenText;
            out_ += '\n';
        } else if (!value.is_container()) {
            out_ += ' ';
            scalar(value);
            end();
        } else if (const std::size_t count = shown_count(value); count == 0 || is_too_deep(level)) {
            out_ += value.is_array() ? " [" : " {";
            out_ += count == 0 ? "" : "… " + std::to_string(count);
            out_ += value.is_array() ? "]" : "}";
            end();
        } else if (const std::string line = on_one_line(value); !line.empty()) {
            out_ += ' ' + line;
            end();
        } else {
            end();
            members(value, level + 1);
        }
    }

    // All members of a container, each on lines of its own.
    void members(const Value& container, std::size_t level) {
        std::size_t skip = skipped(container);
        if (skip > 0) {
            indent(level);
            out_ += "# … " + std::to_string(skip) + "\n";
        }
        if (container.is_object()) {
            for (const auto& [key, value] : container.as_object()) {
                if (!is_reserved_key(key) && (skip == 0 || skip-- == 0)) {
                    member(key, value, level);
                }
            }
            return;
        }
        for (const Value& value : container.as_array()) {
            if (!is_reserved_element(value) && (skip == 0 || skip-- == 0)) {
                element(value, level);
            }
        }
    }

    void element(const Value& value, std::size_t level) {
        const bool opens = value.is_object() && !is_hidden(value, view_) &&
                           shown_count(value) != 0 && !is_too_deep(level);
        if (!opens) {
            indent(level);
            out_ += '-';
            behind("-", value, level);
            return;
        }
        // The first member stands on the line of the dash.
        const std::size_t begin = out_.size() + 2 * std::min(level, base::kIndentMax - 1);
        members(value, level + 1);
        out_[begin] = '-';
    }

    // The same value without what is not shown, for JSON.
    Value cleaned(const Value& value, std::size_t level) {
        if (is_hidden(value, view_)) {
            return Value(kHiddenText);
        }
        if (is_pair(value, in_module_)) {
            const Value inner = cleaned(value.as_array()[0], level);
            return view_.descriptions == StateView::Descriptions::kNever
                       ? inner
                       : Value(Array{inner, value.as_array()[1]});
        }
        if (!value.is_container()) {
            return value;
        }
        if (is_too_deep(level)) {
            return Value(std::string_view("… " + std::to_string(shown_count(value))));
        }
        std::size_t skip = skipped(value);
        if (value.is_object()) {
            Object object;
            for (const auto& [key, member] : value.as_object()) {
                if (!is_reserved_key(key) && (skip == 0 || skip-- == 0)) {
                    object = std::move(object).set(key, cleaned(member, level + 1));
                }
            }
            return object;
        }
        Array array;
        for (const Value& each : value.as_array()) {
            if (!is_reserved_element(each) && (skip == 0 || skip-- == 0)) {
                array = std::move(array).push_back(cleaned(each, level + 1));
            }
        }
        return array;
    }

  private:
    void indent(std::size_t level) { out_.append(2 * std::min(level, base::kIndentMax), ' '); }

    [[nodiscard]] bool is_too_deep(std::size_t level) const {
        return view_.depth != 0 && level >= view_.depth;
    }

    const Value& undescribed(const Value& value, std::string_view& description) const {
        if (!is_pair(value, in_module_)) {
            return value;
        }
        description = value.as_array()[1].as_string();
        return value.as_array()[0];
    }

    bool shows_description(std::string_view key, std::string_view description) {
        if (description.empty() || view_.descriptions == StateView::Descriptions::kNever) {
            return false;
        }
        return view_.descriptions == StateView::Descriptions::kAlways ||
               described_.emplace(key, description).second;
    }

    static std::size_t shown_count(const Value& value) {
        if (value.is_object()) {
            return static_cast<std::size_t>(std::ranges::count_if(
                value.as_object(),
                [](const value::Member& member) { return !is_reserved_key(member.key); }));
        }
        return static_cast<std::size_t>(std::ranges::count_if(
            value.as_array(), [](const Value& each) { return !is_reserved_element(each); }));
    }

    // How many of the oldest are not shown: only of what was asked for itself.
    std::size_t skipped(const Value& container) {
        const bool asked = std::exchange(is_first_, false);
        const std::size_t count = asked && view_.last != 0 ? shown_count(container) : 0;
        return count > view_.last ? count - view_.last : 0;
    }

    // A short list of scalars as [a, b]; empty if it is none.
    [[nodiscard]] std::string on_one_line(const Value& value) const {
        if (!value.is_array() || (view_.last != 0 && value.as_array().size() > view_.last)) {
            return "";
        }
        std::string line = "[";
        for (const Value& each : value.as_array()) {
            if (each.is_container()) {
                return "";
            }
            if (is_reserved_element(each)) {
                continue;
            }
            line += line.size() == 1 ? "" : ", ";
            if (each.is_string()) {
                append_text(line, each.as_string());
            } else {
                value::append_json(line, each);
            }
            if (line.size() > kLineBytesMax) {
                return "";
            }
        }
        return line + "]";
    }

    const StateView& view_;
    bool in_module_;
    bool is_first_ = true;  // no container was shown yet
    std::string out_;
    std::set<std::pair<std::string, std::string>> described_;
};

}  // namespace

bool is_reserved_key(std::string_view key) noexcept {
    return key.starts_with('_') || key.starts_with('$');
}

bool is_hidden(const Value& value, const StateView& view) noexcept {
    return value.is_object() && is_off(value.as_object().find("_showInEJS")) &&
           (!view.needs_filter || is_set(value.as_object().find("_filter")));
}

bool is_pair(const Value& value, bool in_module) noexcept {
    if (!value.is_array() || value.as_array().size() != 2 || !value.as_array()[1].is_string()) {
        return false;
    }
    const Value& first = value.as_array()[0];
    return !first.is_array() && (in_module || !first.is_string());
}

bool is_module(std::string_view root) noexcept {
    return root == "play_character_data" || root == "stat_data" || root == "assa_data";
}

std::string render_value(const Value& value, const StateView& view, std::string_view root) {
    const bool in_module = root.empty() || is_module(root);
    Renderer renderer(view, in_module);
    const Value& inner = is_pair(value, in_module) ? value.as_array()[0] : value;
    if (inner.is_string()) {
        return std::string(inner.as_string());
    }
    if (!inner.is_container() || view.format == StateView::Format::kJson) {
        const Value cleaned = renderer.cleaned(inner, 0);
        return cleaned.is_string() ? std::string(cleaned.as_string()) : value::print_json(cleaned);
    }
    if (is_hidden(inner, view)) {
        return std::string(kHiddenText);
    }
    renderer.members(inner, 0);
    std::string text = std::move(renderer).take();
    if (text.ends_with('\n')) {
        text.pop_back();
    }
    return text;
}

std::string render_at(const Value& document, const Path& path, const StateView& view) {
    const Value* found = value::find(document, path);
    if (found == nullptr) {
        return "";
    }
    const std::string root = path.empty() ? "" : std::string(path[0].as_key().view());
    Renderer renderer(view, is_module(root));
    // Whatever is above it and switched off hides it too.
    bool hidden = false;
    for (std::size_t count = 1; count < path.size() && !hidden; ++count) {
        const Value* above = value::find(document, path, count);
        hidden = above != nullptr && is_hidden(*above, view);
    }
    const Value shown = hidden ? Value(kHiddenText) : *found;
    if (view.format == StateView::Format::kJson) {
        const Value cleaned = renderer.cleaned(shown, 0);
        if (path.empty()) {
            return value::print_json(cleaned);
        }
        return value::print_json(
            Object().set(value::Str(value::print_path(path, value::PathSyntax::kDotted)), cleaned));
    }
    if (path.empty()) {
        return render_value(shown, view, "document");
    }
    std::string text = value::print_path(path, value::PathSyntax::kDotted) + ":";
    if (hidden) {
        return text + " " + std::string(kHiddenText);
    }
    renderer.behind(path.back().is_index() ? "-" : path.back().key(), shown, 0);
    text += std::move(renderer).take();
    if (text.ends_with('\n')) {
        text.pop_back();
    }
    return text;
}

}  // namespace arbiter::prompt
