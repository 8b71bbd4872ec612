#include "net/client.h"

#include <utility>

#include "net/internal/client_call.h"

namespace arbiter::net {
namespace {

class StartedCall : public Call {
  public:
    StartedCall(Loop& loop, std::shared_ptr<internal::ClientCall> call)
        : loop_(loop), call_(std::move(call)) {}
    ~StartedCall() override {
        if (loop_.is_current()) {
            call_->cancel();
        } else {
            loop_.post([call = std::move(call_)] { call->cancel(); });
        }
    }

  private:
    Loop& loop_;
    std::shared_ptr<internal::ClientCall> call_;
};

}  // namespace

Client::Client(Loop& loop, ClientOptions options)
    : state_(std::make_shared<internal::ClientState>(loop, std::move(options))) {}

Client::~Client() {
    // Idle connections end on their loop.
    Loop& loop = state_->loop;
    loop.post([state = std::move(state_)] {});
}

std::unique_ptr<Call> Client::start(ClientRequest request, ClientCallbacks callbacks) {
    auto call =
        std::make_shared<internal::ClientCall>(state_, std::move(request), std::move(callbacks));
    call->start();
    return std::make_unique<StartedCall>(state_->loop, std::move(call));
}

}  // namespace arbiter::net
