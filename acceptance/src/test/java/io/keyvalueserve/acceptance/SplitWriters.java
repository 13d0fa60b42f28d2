package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A {@link SplitWriter} at each of some members, which are counted from 1. */
final class SplitWriters implements AutoCloseable {
  private static final Duration SETTLING = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(50);

  private final List<KvsProcess> members;
  private final Tenant tenant;
  private final String map;
  private final int some;
  private final List<SplitWriter> writers = new ArrayList<>();
  private final long counted;

  /**
   * Starts to write, and returns when each has written something.
   *
   * @param some how many commands {@link #awaitMore} waits for
   */
  SplitWriters(List<KvsProcess> members, Tenant tenant, String map, int some) throws IOException {
    this.some = some;
    this.members = List.copyOf(members);
    this.tenant = tenant;
    this.map = map;
    counted = counter();
    for (int i = 1; i <= members.size(); i++) {
      writers.add(new SplitWriter("w" + i, members.get(i - 1), tenant, map));
    }
    for (int i = 1; i <= members.size(); i++) {
      awaitMore(i);
    }
  }

  private long counter() throws IOException {
    try (RespSocket socket = RespSocket.open(members.getLast(), tenant, map)) {
      socket.send(RespSocket.command("INCRBY", SplitWriter.COUNTER, "0"));
      return Long.parseLong(socket.readLine().substring(1));
    }
  }

  /** Waits until some have carried out more. */
  void awaitMore(int... which) {
    for (int each : which) {
      SplitWriter writer = writers.get(each - 1);
      long before = writer.answered();
      await("member " + each + " serves")
          .atMost(SETTLING)
          .pollInterval(POLL)
          .until(() -> writer.answered() > before + some);
    }
  }

  Duration slowest(int which) {
    return writers.get(which - 1).slowest();
  }

  /** Returns the longest wait at each member, of commands that were carried out. */
  String record(String fault) {
    return fault
        + ": longest wait in ms at members 1, 2, ...: "
        + writers.stream().map(each -> each.slowest().toMillis()).toList();
  }

  long refused(int which) {
    return writers.get(which - 1).refused();
  }

  /** Ends the writers, and requires each acknowledged write at each member. */
  void requireKept() throws IOException {
    close();
    long surely = writers.stream().mapToLong(SplitWriter::increments).sum();
    long perhaps = writers.stream().mapToLong(SplitWriter::doubtfulIncrements).sum();
    assertThat(counter() - counted).isBetween(surely, surely + perhaps);
    for (KvsProcess member : members) {
      try (RespSocket socket = RespSocket.open(member, tenant, map)) {
        for (SplitWriter writer : writers) {
          requireKept(socket, writer);
        }
      }
    }
  }

  private static void requireKept(RespSocket socket, SplitWriter writer) throws IOException {
    for (Map.Entry<String, String> entry : writer.acknowledged().entrySet()) {
      socket.send(RespSocket.command("GET", entry.getKey()));
      String head = socket.readLine();
      String value = head.equals("$-1") ? SplitWriter.DELETED : socket.readLine();
      assertThat(value.getBytes(StandardCharsets.UTF_8)).isNotEmpty();
      if (!writer.mayHave(entry.getKey(), value)) {
        assertThat(value).as(entry.getKey()).isEqualTo(entry.getValue());
      }
    }
  }

  @Override
  public void close() {
    writers.forEach(SplitWriter::close);
  }
}
