//===-- PageServer.cpp - serves one page on the loopback address -----------------------------------------------===//
//
// Called by tcc-explore.cpp from its loop. Implements HTTP/1.1 with one request per connection.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "PageServer.h"

#include <algorithm>
#include <arpa/inet.h>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <netinet/in.h>
#include <stdexcept>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace tilecc::explore;

enum : size_t { maxRequestBytes = 8 * 1024, maxConnections = 64 };

static std::string makeToken() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
    throw std::runtime_error("the system has no random numbers");
  std::string token;
  for (unsigned char byte : bytes) {
    char digits[3];
    snprintf(digits, sizeof(digits), "%02x", byte);
    token += digits;
  }
  return token;
}

Server::Server(uint16_t wanted) : listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  sockaddr_in name = {};
  name.sin_family = AF_INET;
  name.sin_port = htons(wanted);
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(name);
  int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  if (listener < 0 || bind(listener, reinterpret_cast<sockaddr *>(&name), size) || listen(listener, 16) ||
      getsockname(listener, reinterpret_cast<sockaddr *>(&name), &size))
    throw std::runtime_error("127.0.0.1:" + std::to_string(wanted) + ": " + strerror(errno));
  port = ntohs(name.sin_port);
  token = makeToken();
}

Server::~Server() {
  for (Connection &connection : connections)
    close(connection.socket);
  close(listener);
}

std::string Server::address() const { return "http://127.0.0.1:" + std::to_string(port) + "/" + token + "/"; }

static std::string respond(const char *status, const char *type, const std::string &body) {
  return std::string("HTTP/1.1 ") + status + "\r\nContent-Type: " + type +
         "; charset=utf-8\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\nConnection: close\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n"
         "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n"
         "Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
         "img-src data:; connect-src 'self'\r\n\r\n" +
         body;
}

static std::string event(uint64_t version) { return "data: " + std::to_string(version) + "\n\n"; }

void Server::setPage(std::string html) {
  page = std::move(html);
  ++version;
  // A reload keeps the fragment of the address, which describes what the page shows.
  std::string script = "<script>new EventSource(\"events\").onmessage = ({ data }) => { if (data !== \"" +
                       std::to_string(version) + "\") location.reload(); };</script>\n";
  size_t end = page.rfind("</body>");
  page.insert(end == std::string::npos ? page.size() : end, script);
  for (Connection &connection : connections)
    if (connection.isListening) {
      connection.out += event(version);
      send(connection);
    }
}

void Server::prepare(std::vector<pollfd> &waits) const {
  waits.push_back({listener, POLLIN, 0});
  for (const Connection &connection : connections)
    waits.push_back({connection.socket, static_cast<short>(connection.out.empty() ? POLLIN : POLLIN | POLLOUT), 0});
}

void Server::handle(const std::vector<pollfd> &waits) {
  for (const pollfd &wait : waits) {
    if (wait.fd == listener && wait.revents)
      accept();
    for (Connection &connection : connections) {
      if (connection.socket != wait.fd)
        continue;
      if (wait.revents & POLLOUT)
        send(connection);
      if (wait.revents & (POLLIN | POLLHUP | POLLERR))
        receive(connection);
    }
  }
  connections.remove_if([](const Connection &connection) {
    bool ends = connection.isDone && connection.out.empty();
    if (ends)
      close(connection.socket);
    return ends;
  });
}

void Server::accept() {
  int socket = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (socket < 0)
    return;
  if (connections.size() >= maxConnections) {
    close(socket);
    return;
  }
  connections.push_back({socket, {}, {}});
}

void Server::receive(Connection &connection) {
  char buffer[maxRequestBytes];
  ssize_t length = recv(connection.socket, buffer, sizeof(buffer), 0);
  if (length < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if (length <= 0) { // the other side has closed the connection
    connection.out.clear();
    connection.isDone = true;
    return;
  }
  if (connection.isListening || connection.isDone)
    return;
  connection.in.append(buffer, length);
  if (connection.in.size() > maxRequestBytes) {
    while (recv(connection.socket, buffer, sizeof(buffer), 0) > 0) {} // closing with unread bytes would lose the answer
    connection.out = respond("431 Request Header Fields Too Large", "text/plain", "The request is too long.\n");
    connection.isDone = true;
  } else if (connection.in.find("\r\n\r\n") != std::string::npos) {
    answer(connection);
  }
  send(connection);
}

// Returns the value of a header; empty if there is none, or if there are several.
static std::string headerOf(const std::string &request, const char *name) {
  std::string value;
  int count = 0;
  size_t length = strlen(name);
  for (size_t at = request.find("\r\n"); at != std::string::npos; at = request.find("\r\n", at + 2)) {
    if (strncasecmp(request.c_str() + at + 2, name, length) || request[at + 2 + length] != ':')
      continue;
    size_t begin = request.find_first_not_of(" \t", at + 3 + length), end = request.find("\r\n", at + 2);
    value = request.substr(begin, end - begin);
    ++count;
  }
  return count == 1 ? value : "";
}

void Server::answer(Connection &connection) {
  const std::string &request = connection.in;
  std::string line = request.substr(0, request.find("\r\n"));
  std::string method = line.substr(0, line.find(' '));
  std::string path = line.substr(std::min(line.size(), method.size() + 1));
  path = path.substr(0, path.find(' '));
  std::string host = headerOf(request, "Host"), number = ":" + std::to_string(port);
  connection.isDone = true;
  if (host != "127.0.0.1" + number && host != "localhost" + number) {
    connection.out = respond("403 Forbidden", "text/plain", "The request is for another host.\n");
  } else if (method != "GET") {
    connection.out = respond("405 Method Not Allowed", "text/plain", "Only GET is supported.\n");
  } else if (path == "/" + token + "/") {
    connection.out = respond("200 OK", "text/html", page);
  } else if (path == "/" + token + "/events") {
    connection.out =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\r\n" + event(version);
    connection.isListening = true;
    connection.isDone = false;
  } else {
    connection.out = respond("404 Not Found", "text/plain", "There is nothing here. tcc-explore prints the address.\n");
  }
}

void Server::send(Connection &connection) {
  while (!connection.out.empty()) {
    ssize_t length = ::send(connection.socket, connection.out.data(), connection.out.size(), MSG_NOSIGNAL);
    if (length < 0 && errno == EINTR)
      continue;
    if (length < 0 && errno == EAGAIN)
      return;
    if (length < 0) {
      connection.out.clear();
      connection.isDone = true;
      return;
    }
    connection.out.erase(0, length);
  }
}
