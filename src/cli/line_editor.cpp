#include "cli/line_editor.h"

#include <histedit.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdlib>

#include "base/limits.h"
#include "text/utf8.h"

namespace arbiter::cli {
namespace {

constexpr int kHistoryLines = 500;
// Terminals that understand it send pasted text between two sequences.
constexpr const char* kPasteOn = "\x1b[?2004h";
constexpr const char* kPasteOff = "\x1b[?2004l";
constexpr std::wstring_view kPasteEnd = L"\x1b[201~";

bool is_terminal(std::FILE* stream) {
    return ::isatty(::fileno(stream)) == 1;
}

}  // namespace

struct LineEditor::Terminal {
    EditLine* editor = nullptr;
    History* history = nullptr;
    HistEvent event = {};
    std::string prompt;
    std::vector<std::string> words;
    std::FILE* out = stdout;
    bool is_interrupted = false;  // by Ctrl-C in the line that is read
    bool had_text = false;        // when it was interrupted

    static Terminal& of(EditLine* editor) {
        void* data = nullptr;
        el_get(editor, EL_CLIENTDATA, &data);
        return *static_cast<Terminal*>(data);
    }
    static char* show_prompt(EditLine* editor) { return of(editor).prompt.data(); }

    // Tab: adds what all fitting words have in common, or lists them.
    static unsigned char complete(EditLine* editor, int) {
        Terminal& self = of(editor);
        const LineInfo* line = el_line(editor);
        const std::string_view typed(line->buffer,
                                     static_cast<std::size_t>(line->cursor - line->buffer));
        std::vector<std::string_view> fitting;
        for (const std::string& word : self.words) {
            if (!typed.empty() && word.starts_with(typed)) {
                fitting.push_back(word);
            }
        }
        if (fitting.empty()) {
            return CC_REFRESH_BEEP;
        }
        std::string_view common = fitting.front();
        for (const std::string_view word : fitting) {
            std::size_t same = 0;
            while (same < common.size() && same < word.size() && common[same] == word[same]) {
                ++same;
            }
            common = common.substr(0, same);
        }
        std::string added(common.substr(typed.size()));
        if (fitting.size() == 1) {
            added += ' ';
        }
        if (!added.empty()) {
            return el_insertstr(editor, added.c_str()) == 0 ? CC_REFRESH : CC_REFRESH_BEEP;
        }
        std::string list = "\n";
        for (const std::string_view word : fitting) {
            list += std::string(word) + "  ";
        }
        list += '\n';
        std::fputs(list.c_str(), self.out);
        return CC_REDISPLAY;
    }

    // Pasted text is one line of input, whatever line breaks it has.
    static unsigned char paste(EditLine* editor, int) {
        std::wstring pasted;
        wchar_t next = 0;
        while (el_wgetc(editor, &next) == 1 && pasted.size() <= base::kTurnTextBytesMax) {
            pasted += next;
            if (pasted.ends_with(kPasteEnd)) {
                pasted.resize(pasted.size() - kPasteEnd.size());
                break;
            }
        }
        for (wchar_t& each : pasted) {
            if (each < L' ' || each == L'\x7f') {
                each = L' ';  // line breaks, tabs and controls
            }
        }
        while (pasted.ends_with(L' ')) {
            pasted.pop_back();
        }
        return pasted.empty() || el_winsertstr(editor, pasted.c_str()) == 0 ? CC_REFRESH
                                                                            : CC_REFRESH_BEEP;
    }

    static unsigned char interrupt(EditLine* editor, int) {
        Terminal& self = of(editor);
        const LineInfo* line = el_line(editor);
        self.is_interrupted = true;
        self.had_text = line->lastchar != line->buffer;
        return CC_EOF;
    }

    // Ctrl-Z: returns when the shell brings the process back.
    static unsigned char suspend(EditLine* editor, int) {
        Terminal& self = of(editor);
        std::fputs(kPasteOff, self.out);
        std::fflush(self.out);
        el_set(editor, EL_PREP_TERM, 0);
        ::raise(SIGTSTP);
        el_set(editor, EL_PREP_TERM, 1);
        std::fputs(kPasteOn, self.out);
        return CC_REDISPLAY;
    }

    ~Terminal() {
        if (history != nullptr) {
            ::history_end(history);
        }
        if (editor != nullptr) {
            ::el_end(editor);
        }
    }
};

LineEditor::LineEditor(const Console& console, std::vector<std::string> words) : console_(console) {
    const char* kind = std::getenv("TERM");
    if (!is_terminal(console.in) || !is_terminal(console.out) || kind == nullptr ||
        std::string_view(kind) == "dumb") {
        return;
    }
    std::setlocale(LC_CTYPE, "C.UTF-8");
    auto made = std::make_unique<Terminal>();
    made->words = std::move(words);
    made->out = console.out;
    made->editor = el_init("arbiter", console.in, console.out, console.err);
    made->history = history_init();
    if (made->editor == nullptr || made->history == nullptr) {
        return;
    }
    EditLine* editor = made->editor;
    ::history(made->history, &made->event, H_SETSIZE, kHistoryLines);
    ::history(made->history, &made->event, H_SETUNIQUE, 1);
    el_set(editor, EL_CLIENTDATA, made.get());
    el_set(editor, EL_PROMPT, &Terminal::show_prompt);
    el_set(editor, EL_EDITOR, "emacs");
    el_set(editor, EL_SIGNAL, 0);
    // While a line is read, Ctrl-C and Ctrl-Z are keys and not signals: the terminal would drop
    // what was typed before them, and a signal can come between two system calls or end a write.
    el_set(editor, EL_SETTY, "-d", "-isig", nullptr);
    // Wide: the narrow call leaks copies of both texts.
    el_wset(editor, EL_ADDFN, L"arbiter-interrupt", L"drops the line", &Terminal::interrupt);
    el_wset(editor, EL_ADDFN, L"arbiter-suspend", L"stops the process", &Terminal::suspend);
    el_set(editor, EL_BIND, "^C", "arbiter-interrupt", nullptr);
    el_set(editor, EL_BIND, "^Z", "arbiter-suspend", nullptr);
    el_set(editor, EL_HIST, ::history, made->history);
    el_wset(editor, EL_ADDFN, L"arbiter-complete", L"completes a command", &Terminal::complete);
    el_wset(editor, EL_ADDFN, L"arbiter-paste", L"takes pasted text", &Terminal::paste);
    el_set(editor, EL_BIND, "^I", "arbiter-complete", nullptr);
    el_set(editor, EL_BIND, "\033[200~", "arbiter-paste", nullptr);
    // Keys that people know and libedit leaves free.
    el_set(editor, EL_BIND, "\033[H", "ed-move-to-beg", nullptr);
    el_set(editor, EL_BIND, "\033[F", "ed-move-to-end", nullptr);
    el_set(editor, EL_BIND, "\033[1~", "ed-move-to-beg", nullptr);
    el_set(editor, EL_BIND, "\033[4~", "ed-move-to-end", nullptr);
    el_set(editor, EL_BIND, "\033[3~", "ed-delete-next-char", nullptr);
    el_set(editor, EL_BIND, "\033[1;5D", "ed-prev-word", nullptr);
    el_set(editor, EL_BIND, "\033[1;5C", "em-next-word", nullptr);
    el_set(editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    el_set(editor, EL_BIND, "^W", "ed-delete-prev-word", nullptr);
    terminal_ = std::move(made);
}

LineEditor::~LineEditor() = default;

std::size_t columns_of(const Console& console) noexcept {
    winsize size = {};
    return is_terminal(console.out) && ::ioctl(::fileno(console.out), TIOCGWINSZ, &size) == 0
               ? size.ws_col
               : 0;
}

LineEditor::Input LineEditor::read(std::string_view prompt) {
    if (!terminal_) {
        console_.print(console_.painted(prompt, Color::kGreen));
        std::fflush(console_.out);
        return read_plain();
    }
    terminal_->prompt = prompt;
    terminal_->is_interrupted = false;
    // Before the prompt is printed, so that keys that follow it at once are not taken by the
    // system.
    el_set(terminal_->editor, EL_PREP_TERM, 1);
    std::fputs(kPasteOn, console_.out);
    std::fflush(console_.out);
    el_resize(terminal_->editor);
    int count = 0;
    errno = 0;
    const char* line = el_gets(terminal_->editor, &count);
    std::fputs(kPasteOff, console_.out);
    std::fflush(console_.out);
    if (terminal_->is_interrupted) {
        console_.print("\n");
        return {Input::Kind::kInterrupted, {}, terminal_->had_text};
    }
    if (line == nullptr || count <= 0) {
        return {Input::Kind::kEnd};
    }
    std::string text(line, static_cast<std::size_t>(count));
    while (text.ends_with('\n') || text.ends_with('\r')) {
        text.pop_back();
    }
    if (text.find_first_not_of(' ') != std::string::npos) {
        ::history(terminal_->history, &terminal_->event, H_ENTER, text.c_str());
    }
    return {Input::Kind::kLine, text::to_utf8(std::move(text))};
}

LineEditor::Input LineEditor::read_plain() {
    std::string line;
    for (int c = std::fgetc(console_.in); c != EOF; c = std::fgetc(console_.in)) {
        if (c == '\n') {
            return {Input::Kind::kLine, std::move(line)};
        }
        // One byte more than a turn takes, so that a line that is too long is refused.
        if (line.size() <= base::kTurnTextBytesMax) {
            line += static_cast<char>(c);
        }
    }
    return line.empty() ? Input{} : Input{Input::Kind::kLine, std::move(line)};
}

}  // namespace arbiter::cli
