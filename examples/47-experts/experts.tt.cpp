// 47: a layer of experts, one on each rank. Each token is sent to the rank of its expert, is computed there, and comes
// back. One launch has programs that send tokens, programs that are experts, and programs that combine results.
//
//   tcc -O2 experts.tt.cpp -ltilecc_rt -o experts
//   ./experts 2                                  on two GPUs
//   TILECC_DEVICE=emu ./experts 4 one-device     four ranks on one device, here the emulator
//
// Exits with 1 if a result is wrong.
#include <tilecc/communication.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int width = 128; // elements of a token

// The mailboxes have a place for each token of each rank. `inbox` has the tokens for the rank's expert, and `present`
// the epochs in which they arrived. `outbox` has the results of the rank's own tokens. `sent` counts the tokens that
// each rank has processed, wherever it sent them, and `returned` the results that have come back.
struct mailboxes {
  tt::symmetric<float> inbox, outbox;
  tt::symmetric<int> present;
  tt::symmetric<unsigned> sent, returned;
};

__tile_global__ void experts(tt::symmetric<float> x, tt::symmetric<int> expert_of, tt::symmetric<float> scale,
                             tt::symmetric<float> y, mailboxes boxes, int tokens, unsigned epoch) {
  const int rank = x.rank(), ranks = x.ranks, program = tt::program_id(0);
  auto i = tt::arange<width>();
  if (program < tokens) { // sends a token, and tells all ranks that it has done so
    const int token = program, place = rank * tokens + token, expert = tt::load(expert_of.mine() + token);
    tt::store(boxes.inbox.at(expert) + place * width + i, tt::load(x.mine() + token * width + i));
    tt::store(boxes.present.at(expert) + place, int(epoch));
    for (int peer = 0; peer < ranks; ++peer)
      tt::signal_add(boxes.sent.at(peer) + rank, 1);
    return;
  }
  if (program < tokens + tokens * ranks) { // is the expert for one place of the inbox
    const int place = program - tokens, source = place / tokens, token = place % tokens;
#ifndef FORGOTTEN
    tt::wait(boxes.sent.mine() + source, tokens * epoch);
#endif
    if (tt::load(boxes.present.mine() + place) == int(epoch)) {
      auto row = tt::load(boxes.inbox.mine() + place * width + i);
      auto result = tt::maximum(row * tt::load(scale.mine()), 0.0f);
      tt::put_signal(boxes.outbox.at(source) + token * width + i, result, boxes.returned.at(source) + token, epoch);
    }
    return;
  }
  const int token = program - tokens - tokens * ranks; // combines the result with the token
  tt::wait(boxes.returned.mine() + token, epoch);
  auto at = token * width + i;
  tt::store(y.mine() + at, tt::load(x.mine() + at) + tt::load(boxes.outbox.mine() + at));
}

static float element(int rank, int i) { return float((i * 29 + rank * 7) % 17 - 8); }

int main(int argc, char **argv) {
  const int ranks = argc > 1 ? std::atoi(argv[1]) : 2, tokens = 8;
  const bool one_device = argc > 2 && !std::strcmp(argv[2], "one-device");
  tt::comm comm = one_device ? tt::comm::on_one_device(ranks) : tt::comm::devices(ranks);
  tt::symmetric_buffer<float> x(comm, tokens * width), y(comm, tokens * width), scale(comm, 1);
  tt::symmetric_buffer<float> inbox(comm, ranks * tokens * width), outbox(comm, tokens * width);
  tt::symmetric_buffer<int> expert_of(comm, tokens), present(comm, ranks * tokens);
  tt::symmetric_buffer<unsigned> sent(comm, ranks), returned(comm, tokens);
  auto choice = [&](int rank, int token, unsigned epoch) { return int((token * 5 + rank + epoch) % ranks); };
  std::vector<float> host(tokens * width);
  for (int rank = 0; rank < ranks; ++rank) {
    for (int i = 0; i < tokens * width; ++i)
      host[i] = element(rank, i);
    x.copy_from(rank, host.data());
    const float factor = float(rank + 2);
    scale.copy_from(rank, &factor);
  }

  int wrong = 0;
  for (unsigned epoch = 1; epoch <= 3; ++epoch) {
    std::vector<int> choices(tokens);
    for (int rank = 0; rank < ranks; ++rank) {
      for (int token = 0; token < tokens; ++token)
        choices[token] = choice(rank, token, epoch);
      expert_of.copy_from(rank, choices.data());
    }
    comm.launch(experts, tokens * (ranks + 2), x, expert_of, scale, y,
                tt::each_rank([&](int rank) {
                  return mailboxes{inbox.on(rank), outbox.on(rank), present.on(rank), sent.on(rank), returned.on(rank)};
                }),
                tokens, epoch);
    comm.synchronize();
    for (int rank = 0; rank < ranks; ++rank) {
      y.copy_to(rank, host.data());
      for (int i = 0; i < tokens * width; ++i) {
        const float v = element(rank, i), expert = v * float(choice(rank, i / width, epoch) + 2);
        wrong += host[i] != v + (expert > 0 ? expert : 0);
      }
    }
  }
  std::printf("experts, %d ranks: %s, %d wrong\n", ranks, wrong ? "WRONG" : "correct", wrong);
  return wrong != 0;
}
