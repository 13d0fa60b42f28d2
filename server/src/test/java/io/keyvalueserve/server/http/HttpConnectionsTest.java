package io.keyvalueserve.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.keyvalueserve.gates.heap.MemberHeap;
import io.keyvalueserve.gates.peer.PeerBudget;
import io.keyvalueserve.gates.peer.PeerLimits;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: what clients of the HTTP door make it hold has bounds. Method: raw bytes at real sockets.
 */
class HttpConnectionsTest {
  private static final int KIB = 1024;
  private static final String KEYED = "Host: x\r\nAuthorization: Bearer ";

  private final AtomicLong clock = new AtomicLong(1);
  private final BodyRoom room = new BodyRoom(1024 * KIB, MemberHeap.unbounded());
  private final PeerBudget budget =
      new PeerBudget(
          new PeerLimits(8, 8, 400 * KIB, 64 * KIB, 1000, 500, Duration.ofSeconds(10)), clock::get);
  private final HttpConnections connections =
      new HttpConnections(HttpLimits.of(4), budget, room, clock::get);
  private final WebServer server = start();
  private final List<Socket> sockets = new ArrayList<>();

  private WebServer start() {
    byte[] large = new byte[16 * KIB * KIB];
    HttpRouting.Builder routing =
        HttpRouting.builder()
            .addFilter(HttpDoor::pace)
            .any(
                "/*",
                (request, response) -> {
                  request
                      .headers()
                      .first(HeaderNames.AUTHORIZATION)
                      .map(key -> Integer.parseInt(key.substring("Bearer ".length())))
                      .ifPresent(
                          tenant ->
                              HttpConnection.passed(
                                  new Caller(new Identity(new TenantName("acme"), tenant, "k"))));
                  response.next();
                })
            .get("/small", (request, response) -> response.send("ok"))
            .get("/large", (request, response) -> response.send(large))
            .put(
                "/body",
                (request, response) -> {
                  try (BodyRoom.Part part = room.part(1)) {
                    response.send("" + RequestBody.read(request, 900 * KIB, part).length);
                  }
                });
    HttpErrors.addTo(routing);
    return HttpDoor.serve(connections, routing)
        .address(InetAddress.getLoopbackAddress())
        .port(0)
        .build()
        .start();
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    server.stop();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(20_000);
    sockets.add(socket);
    return socket;
  }

  private Socket send(String text) throws IOException {
    Socket socket = connect();
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static String read(Socket socket, int bytes) throws IOException {
    return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
  }

  private static boolean isClosed(Socket socket) {
    try {
      socket.setSoTimeout(1);
      return socket.getInputStream().read(new byte[8 * KIB]) < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toNanos());
    connections.closeOverdue();
    budget.closeOverdue();
  }

  @Test
  void closesTheOldestConnectionsWithoutAKey() throws Exception {
    List<Socket> opened = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      opened.add(send("GET /small HTTP/1.1\r\nHost: x\r\nX-Never: "));
      int most = Math.min(i + 1, 8);
      await().until(() -> budget.connections() == most);
    }
    await().until(() -> opened.subList(0, 4).stream().allMatch(HttpConnectionsTest::isClosed));
    assertThat(opened.subList(4, 12)).noneMatch(HttpConnectionsTest::isClosed);
    await().until(() -> connections.count() == 8);
  }

  /** Once one was closed to make room, a few of 40 connections are accepted until time passes. */
  @Test
  void acceptsAtThePaceOfTheBudgetWhileItMakesRoom() throws Exception {
    String request = "GET /small HTTP/1.1\r\n" + KEYED + "1\r\n\r\n";
    Socket tenant = send(request);
    assertThat(read(tenant, 12)).isEqualTo("HTTP/1.1 200");
    await().until(() -> budget.connections() == 0);
    String never = "GET /small HTTP/1.1\r\nHost: x\r\nX-Never: ";
    for (int i = 0; i < 9; i++) { // one more than there is room for
      Socket _ = send(never);
    }
    await().until(() -> budget.evictions() > 0);
    for (int i = 0; i < 40; i++) {
      Socket _ = send(never);
    }
    Socket late = send(request);
    for (int i = 0; i < 50; i++) {
      tenant.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }
    String answers = "";
    while (answers.split("HTTP/1.1 200", -1).length <= 50) {
      answers += read(tenant, 1);
    }
    assertThat(budget.evictions() + budget.connections()).isLessThan(40 + 9);
    await()
        .until(
            () -> {
              clock.addAndGet(Duration.ofMillis(2).toNanos());
              return budget.evictions() >= 40 + 9 - 8;
            });
    Thread passing = Thread.startVirtualThread(this::letTimePass);
    assertThat(read(late, 12)).isEqualTo("HTTP/1.1 200");
    passing.interrupt();
    passing.join();
  }

  private void letTimePass() {
    while (!Thread.currentThread().isInterrupted()) {
      clock.addAndGet(Duration.ofMillis(2).toNanos());
      LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
    }
  }

  @Test
  void countsUnfinishedHeaders() throws Exception {
    Socket socket = send("GET /small HTTP/1.1\r\nHost: x\r\nX-Long: " + "a".repeat(10 * KIB));
    await().until(() -> budget.bytes() >= HttpConnection.BASE_BYTES + 10 * KIB);
    socket.getOutputStream().write("\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    assertThat(read(socket, 12)).isEqualTo("HTTP/1.1 200");
    await().until(() -> budget.bytes() == HttpConnection.BASE_BYTES);
  }

  @Test
  void closesAConnectionWhoseHeadersTakeTooLong() throws Exception {
    Socket keyed = send("GET /small HTTP/1.1\r\n" + KEYED + "1\r\n\r\nGET /small HT");
    assertThat(read(keyed, 12)).isEqualTo("HTTP/1.1 200");
    await().until(() -> budget.connections() == 0);
    Socket idle = send("GET /small HTTP/1.1\r\n" + KEYED + "1\r\n\r\n");
    assertThat(read(idle, 12)).isEqualTo("HTTP/1.1 200");
    keyed.getOutputStream().write('T');
    await()
        .until(
            () -> {
              pass(Duration.ofSeconds(4));
              return connections.count() == 1;
            });
    assertThat(isClosed(idle)).isFalse();
    pass(Duration.ofSeconds(61));
    await().until(() -> connections.count() == 0);
  }

  /** So that no client finds its connection closed under a request that it may not repeat. */
  @Test
  void saysThatAConnectionWithoutAKeyEnds() throws Exception {
    Socket young = send("GET /small HTTP/1.1\r\nHost: x\r\n\r\n");
    assertThat(read(young, 12)).isEqualTo("HTTP/1.1 200");
    pass(Duration.ofSeconds(6));
    assertThat(isClosed(young)).isFalse();
    young.setSoTimeout(20_000);
    young
        .getOutputStream()
        .write("GET /small HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    String rest = new String(young.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    assertThat(rest).contains("HTTP/1.1 200").containsIgnoringCase("connection: close");
  }

  @Test
  void closesAClientThatDoesNotReadItsAnswer() throws Exception {
    Socket socket = send("GET /large HTTP/1.1\r\n" + KEYED + "1\r\n\r\n");
    assertThat(read(socket, 12)).isEqualTo("HTTP/1.1 200");
    pass(Duration.ofSeconds(1));
    assertThat(connections.count()).isEqualTo(1);
    await()
        .until(
            () -> {
              pass(Duration.ofSeconds(31));
              return connections.count() == 0;
            });
  }

  @Test
  void keepsUnreadAnswersToPeersWithoutAKeySmall() throws Exception {
    try (InputStream in = send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n").getInputStream()) {
      assertThat(in.read()).isNegative();
    }
    await().until(() -> budget.bytes() == 0 && budget.evictions() == 1);
  }

  @Test
  void countsAnUnfinishedChunk() throws Exception {
    String chunk =
        "PUT /body HTTP/1.1\r\n" + KEYED + "1\r\nTransfer-Encoding: chunked\r\n\r\n80000\r\n";
    Socket first = send(chunk);
    first.getOutputStream().write(new byte[400 * KIB]);
    await().until(() -> room.used() > 300 * KIB);
    Socket second = send(chunk);
    try {
      second.getOutputStream().write(new byte[400 * KIB]);
    } catch (IOException e) {
      // It is closed before it has taken all.
    }
    await().until(() -> isClosed(second));
    assertThat(room.used()).isBetween(300L * KIB, 400L * KIB);
    first.getOutputStream().write(new byte[112 * KIB]);
    first.getOutputStream().write("\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    assertThat(read(first, 12)).isEqualTo("HTTP/1.1 200");
    first.close();
    await().until(() -> room.used() == 0);
  }

  private String answerToChunks(String chunks) throws IOException {
    Socket socket =
        send("PUT /body HTTP/1.1\r\n" + KEYED + "1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks);
    socket.shutdownOutput();
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
  }

  @Test
  void passesOverExtensionsOfChunks() throws Exception {
    String answer = answerToChunks("1;e=z\r\na\r\nA \t;a;b=\"c;d\"\r\n0123456789\r\n0;end\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n11");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ";e", "x", "+1", "1 1", "123456789", "ffffffff", "1\n"})
  void refusesChunksWithoutASize(String size) throws Exception {
    assertThat(answerToChunks(size + "\r\na\r\n0\r\n\r\n"))
        .startsWith("HTTP/1.1 400")
        .contains("sizes of its chunks")
        .containsOnlyOnce("HTTP/1.1 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /small HTTP/1.1\r\nHost: x\r\nX-Unfin",
        "PUT /body HTTP/1.1\r\n" + KEYED + "1\r\nContent-Length: 10\r\n\r\nabc",
        "PUT /body HTTP/1.1\r\n" + KEYED + "1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"
      })
  void endsWithoutAnAnswerIfTheClientLeavesWithinItsRequest(String request) throws Exception {
    Socket socket = send(request);
    socket.shutdownOutput();
    assertThat(socket.getInputStream().readAllBytes()).isEmpty();
    await().until(() -> connections.count() == 0);
    assertThat(room.used()).isZero();
  }

  @Test
  void closesAnUnfinishedChunkOfAPeerWithoutAKey() throws Exception {
    Socket socket =
        send("PUT /body HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n80000\r\n");
    try {
      socket.getOutputStream().write(new byte[200 * KIB]);
    } catch (IOException e) {
      // It may be closed before it has taken all.
    }
    await().until(() -> budget.evictions() == 1 && connections.count() == 0);
  }

  @Test
  void closesABodyThatStalls() throws Exception {
    Socket socket = send("PUT /body HTTP/1.1\r\n" + KEYED + "1\r\nContent-Length: 10\r\n\r\nabc");
    await().until(() -> budget.evictions() == 0 && budget.connections() == 0);
    await()
        .until(
            () -> {
              pass(Duration.ofSeconds(11));
              return isClosed(socket);
            });
    assertThat(room.used()).isZero();
  }

  @Test
  void boundsTheConnectionsOfATenantAndOfAll() throws Exception {
    String request = "GET /small HTTP/1.1\r\n" + KEYED;
    for (int tenant : new int[] {1, 1}) {
      assertThat(read(send(request + tenant + "\r\n\r\n"), 12)).isEqualTo("HTTP/1.1 200");
    }
    assertThat(read(send(request + "1\r\n\r\n"), 12)).isEqualTo("HTTP/1.1 429");
    await().until(() -> connections.count() == 2);
    for (int tenant : new int[] {2, 2}) {
      assertThat(read(send(request + tenant + "\r\n\r\n"), 12)).isEqualTo("HTTP/1.1 200");
    }
    assertThat(read(send(request + "3\r\n\r\n"), 12)).isEqualTo("HTTP/1.1 200");
    await().until(() -> connections.count() == 4);
  }

  @Test
  void takesNothingForARequestThatFollowsTheLastAnswer() throws Exception {
    String request = "GET /small HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    Socket socket = send(request + request);
    String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    assertThat(answer).containsOnlyOnce("HTTP/1.1");
  }
}
