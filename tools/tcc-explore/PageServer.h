//===-- PageServer.h - serves one page on the loopback address -------------------------------------------------===//
//
// Only clients that know the token can see the page. Nothing else is served, because no path names a file. Other users
// and programs of the machine, and pages of other sites in the same browser, do not know the token. The Host of each
// request must be the server's own, so that a name that another site resolves to the loopback address (DNS rebinding)
// is refused.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TOOLS_EXPLORE_PAGESERVER_H
#define TILECC_TOOLS_EXPLORE_PAGESERVER_H

#include <cstdint>
#include <list>
#include <poll.h>
#include <string>
#include <vector>

namespace tilecc::explore {

class Server {
public:
  // If `port` is 0, the server uses any free port.
  explicit Server(uint16_t port);
  ~Server();
  Server(const Server &) = delete;
  Server &operator=(const Server &) = delete;

  std::string address() const; // http://127.0.0.1:port/token/
  // Replaces the page. Browsers that show it reload.
  void setPage(std::string html);

  // For the caller's poll(): prepare() adds the descriptors to wait for, and handle() processes the events.
  void prepare(std::vector<pollfd> &waits) const;
  void handle(const std::vector<pollfd> &waits);

private:
  struct Connection {
    int socket;
    std::string in, out;
    bool isListening = false; // the client waits for a new page, and the connection stays open
    bool isDone = false; // closes once `out` is sent
  };
  void accept();
  void receive(Connection &connection);
  void answer(Connection &connection);
  static void send(Connection &connection);

  int listener;
  uint16_t port;
  std::string token, page;
  uint64_t version = 0; // of the page
  std::list<Connection> connections;
};

} // namespace tilecc::explore
#endif
