package io.keyvalueserve.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Answers what a test says, and keeps what it was asked. */
final class TestServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<String> asked = new CopyOnWriteArrayList<>();

  /** A status and a body. */
  record Answer(int status, String body) {}

  TestServer(Function<HttpExchange, Answer> answers) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI().getRawPath());
          long _ = exchange.getRequestBody().transferTo(java.io.OutputStream.nullOutputStream());
          Answer answer = answers.apply(exchange);
          byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  /** Gives the same answer to everything. */
  static TestServer saying(String body) {
    return new TestServer(exchange -> new Answer(200, body));
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Methods and paths. */
  List<String> asked() {
    return List.copyOf(asked);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
