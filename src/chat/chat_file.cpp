#include "chat/chat_file.h"

#include <algorithm>

#include "value/array.h"
#include "value/json.h"

namespace arbiter::chat {

using base::ErrorCode;
using base::Result;
using value::Array;
using value::Object;
using value::Value;

namespace {

bool is_set(const Object& object, std::string_view key) {
    const Value* found = object.find(key);
    return found != nullptr && found->is_bool() && found->as_bool();
}

const Array* list_in(const Object& object, std::string_view key) {
    const Value* found = object.find(key);
    return found != nullptr && found->is_array() ? &found->as_array() : nullptr;
}

// The variables of a version: a list, or an object with the numbers as keys.
Value variables_of(const Value* written, std::size_t index) {
    if (written != nullptr && written->is_array() && index < written->as_array().size()) {
        return written->as_array()[index];
    }
    const Value* found = value::find_member(written, std::to_string(index));
    return found != nullptr ? *found : Value();
}

// An error in a line, with its place in the file.
base::Error in_line(base::Error error, std::size_t line, std::size_t offset) {
    base::Place place = error.place.value_or(base::Place());
    place.line += line - 1;
    place.offset += offset;
    error.place = place;
    return error;
}

Result<Object> object_of(std::string_view line) {
    auto parsed = value::parse_json(line);
    if (!parsed) {
        return std::unexpected(std::move(parsed).error());
    }
    if (!parsed->is_object()) {
        return base::fail(ErrorCode::kFieldType, {"$", R"({"mes": "…"})"});
    }
    return parsed->as_object();
}

}  // namespace

FileMessage file_message(Object object) {
    FileMessage made;
    made.is_user = is_set(object, "is_user");
    made.is_hidden = is_set(object, "is_system");
    const Value* text = object.find("mes");
    made.text = text != nullptr && text->is_string() ? text->as_string() : std::string_view();
    if (const Array* swipes = list_in(object, "swipes"); swipes != nullptr && !made.is_user) {
        for (const Value& each : *swipes) {
            made.swipes.emplace_back(each.is_string() ? each.as_string() : std::string_view());
        }
    }
    if (made.swipes.empty()) {
        made.swipes.push_back(made.text);
    }
    const Value* chosen = object.find("swipe_id");
    if (chosen != nullptr && chosen->is_int() && chosen->as_int() > 0) {
        made.swipe = std::min(static_cast<std::size_t>(chosen->as_int()), made.swipes.size() - 1);
    }
    for (std::size_t i = 0; i < made.swipes.size(); ++i) {
        made.variables.push_back(variables_of(object.find("variables"), i));
    }
    made.whole = std::move(object);
    return made;
}

Result<ChatFile> parse_chat_file(std::string_view text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    std::size_t offset = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    ChatFile file;
    bool is_first = true;
    for (std::size_t number = 1; offset < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', offset), text.size());
        const std::string_view line = text.substr(offset, end - offset);
        if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
            auto object = object_of(line);
            if (!object) {
                return std::unexpected(in_line(std::move(object).error(), number, offset));
            }
            const Value* words = object->find("mes");
            const bool is_message = words != nullptr && words->is_string();
            if (!is_message && !is_first) {
                const base::Error missing(ErrorCode::kFieldMissing, {"mes"});
                return std::unexpected(in_line(missing, number, offset));
            }
            if (is_message) {
                file.messages.push_back(file_message(*std::move(object)));
            } else {
                file.header = *std::move(object);
            }
            is_first = false;
        }
        offset = end + 1;
    }
    if (file.messages.empty()) {
        return base::fail(ErrorCode::kFieldMissing, {"mes"}, base::Place());
    }
    return file;
}

std::string print_chat_file(const Object& header, const std::vector<Object>& messages) {
    std::string text = value::print_json(Value(header)) + "\n";
    for (const Object& each : messages) {
        text += value::print_json(Value(each)) + "\n";
    }
    return text;
}

}  // namespace arbiter::chat
