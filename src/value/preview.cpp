#include "value/preview.h"

#include "text/truncate.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

// Prints the beginning of a value: at least one byte more than fits, if there is so much.
class Beginning {
  public:
    explicit Beginning(std::size_t bytes_max) : bytes_max_(bytes_max) {}

    // False if nothing more is needed.
    bool add(const Value& value) {
        if (value.is_string()) {
            add_string(value.as_string());
        } else if (value.is_array()) {
            char mark = '[';
            for (const Value& each : value.as_array()) {
                out_ += mark;
                mark = ',';
                if (!add(each)) {
                    return false;
                }
            }
            out_ += value.as_array().empty() ? "[]" : "]";
        } else if (value.is_object()) {
            char mark = '{';
            for (const auto& [key, member] : value.as_object()) {
                out_ += mark;
                mark = ',';
                add_string(key);
                out_ += ':';
                if (!add(member)) {
                    return false;
                }
            }
            out_ += value.as_object().empty() ? "{}" : "}";
        } else {
            append_json(out_, value);
        }
        return out_.size() <= bytes_max_;
    }
    [[nodiscard]] const std::string& text() const noexcept { return out_; }

  private:
    void add_string(std::string_view text) {
        constexpr std::size_t kCharacterBytesMax = 4;
        append_json_string(out_, text::truncate(text, bytes_max_ + kCharacterBytesMax));
    }

    std::size_t bytes_max_;
    std::string out_;
};

}  // namespace

std::string preview(const Value& value, std::size_t bytes_max) {
    Beginning beginning(bytes_max);
    beginning.add(value);
    return text::truncate_with_ellipsis(beginning.text(), bytes_max);
}

}  // namespace arbiter::value
