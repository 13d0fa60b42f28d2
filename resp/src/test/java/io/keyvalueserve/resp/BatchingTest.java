package io.keyvalueserve.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyvalueserve.engine.MapEngine;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.Outcome.Failure.Kind;
import io.keyvalueserve.resp.HeldEngine.HeldBatch;
import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Goal: batches are gathered, one at a time, and answered in order, whatever the engine does. */
class BatchingTest {
  private HeldEngine engine;
  private TestMember member;

  @BeforeEach
  void start() throws IOException {
    engine = new HeldEngine(new MapEngine(InstantSource.system(), () -> true));
    member = TestMember.start(engine, config -> config);
  }

  @AfterEach
  void stop() {
    member.close();
  }

  @Test
  void consecutiveKeyedCommandsAreOneBatchAndAllElseRunsAlone() throws Exception {
    try (WireClient client = member.connect("acme")) {
      client.send(
          "SET a 1\r\nGET a\r\nGET b\r\nGET\r\nINCR a\r\nPING\r\nGET a\r\nSELECT other\r\nGET a\r\n");
      HeldBatch first = engine.next();
      assertThat(first.commands()).hasSize(4);
      assertThat(engine.waiting()).isZero();
      first.release();
      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.reply()).isEqualTo("$1\r\n1\r\n");
      assertThat(client.reply()).isEqualTo("$-1\r\n");
      assertThat(client.reply()).isEqualTo("-ERR wrong number of arguments for 'get' command\r\n");
      assertThat(client.reply()).isEqualTo(":2\r\n");
      assertThat(client.reply()).isEqualTo("+PONG\r\n");
      HeldBatch second = engine.next();
      assertThat(second.map().name()).isEqualTo("default");
      assertThat(engine.waiting()).isZero();
      second.release();
      assertThat(client.reply()).isEqualTo("$1\r\n2\r\n");
      assertThat(client.reply()).isEqualTo("+OK\r\n");
      HeldBatch third = engine.next();
      assertThat(third.map().name()).isEqualTo("other");
      third.release();
      assertThat(client.reply()).isEqualTo("$-1\r\n");
    }
  }

  /** They may be read again: so nothing that writes goes with them, before or behind. */
  @Test
  void readsOfSeveralKeysGoWithOtherReadsAlone() throws Exception {
    try (WireClient client = member.connect("acme")) {
      client.send(
          "GET c\r\nMGET a b\r\nMGET c d\r\nSET a 1\r\nMGET a b\r\nMSET a 2 b 3\r\nGET b\r\n");
      for (int commands : new int[] {5, 1, 2, 2, 1}) {
        HeldBatch next = engine.next();
        assertThat(next.commands()).hasSize(commands);
        assertThat(engine.waiting()).isZero();
        next.release();
      }
      assertThat(client.reply()).isEqualTo("$-1\r\n");
      assertThat(client.reply()).isEqualTo("*2\r\n$-1\r\n$-1\r\n");
      assertThat(client.reply()).isEqualTo("*2\r\n$-1\r\n$-1\r\n");
      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.reply()).isEqualTo("*2\r\n$1\r\n1\r\n$-1\r\n");
      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.reply()).isEqualTo("$1\r\n3\r\n");
    }
  }

  @Test
  void whatTheEngineCannotDoIsSaidInTheRightWords() throws Exception {
    try (WireClient client = member.connect("acme")) {
      client.send("GET a\r\n");
      engine.next().answer(new Outcome.Failure(Kind.UNAVAILABLE, "the member is joining"));
      assertThat(client.reply()).isEqualTo("-CLUSTERDOWN the member is joining\r\n");
      client.send("MGET a b\r\n");
      engine.next().answer(new Outcome.Failure(Kind.TIMEOUT, "no answer within 5 s"));
      assertThat(client.reply()).isEqualTo("-ERR timeout: no answer within 5 s\r\n");
      client.send("GET a\r\n");
      engine.next().answer(Outcome.Applied.WITHOUT_PREVIOUS);
      assertThat(client.reply()).isEqualTo("$-1\r\n");
      client.send("INCR a\r\n");
      engine.next().answer(Outcome.Missing.MISSING); // which INCR cannot have
      assertThat(client.reply())
          .matches("-ERR internal error, see the member's log \\(ref [0-9a-f]+\\)\r\n");
      assertThat(client.call("COPY", "a", "b"))
          .matches("-ERR internal error, see the member's log \\(ref [0-9a-f]+\\)\r\n");
      client.send("STRLEN a\r\nGET a\r\nMGET a\r\n");
      engine.next().answer(Outcome.Rejected.WRONG_TYPE);
      assertThat(client.reply()).startsWith("-WRONGTYPE ");
      assertThat(client.reply()).startsWith("-WRONGTYPE ");
      assertThat(client.reply()).isEqualTo("*1\r\n$-1\r\n");
    }
  }

  @Test
  void aSessionThatIsEndedDoesNoMore() throws Exception {
    try (WireClient client = member.connect("acme")) {
      client.send("SET a 1\r\nPING\r\nSET b 1\r\n");
      HeldBatch batch = engine.next();
      member.revoke("acme");
      assertThat(client.isClosedByServer()).isTrue();
      batch.release();
      await().until(() -> member.server().connections() == 0);
      assertThat(engine.waiting()).isZero();
    }
  }

  @Test
  void closingTheServerAnswersWhatWasRead() throws Exception {
    try (WireClient client = member.connect("acme")) {
      client.send("SET a 1\r\nPING\r\nGET a\r\n");
      HeldBatch first = engine.next();
      CompletableFuture<Void> closing = CompletableFuture.runAsync(member::close);
      await()
          .ignoreExceptions()
          .until(
              () -> {
                try (WireClient late = member.connect()) {
                  return late.isClosedByServer();
                } catch (java.net.ConnectException e) {
                  return true;
                }
              });
      first.release();
      engine.next().release();
      assertThat(client.reply()).isEqualTo("+OK\r\n");
      assertThat(client.reply()).isEqualTo("+PONG\r\n");
      assertThat(client.reply()).isEqualTo("$1\r\n1\r\n");
      assertThat(client.isClosedByServer()).isTrue();
      closing.join();
    }
  }

  @Test
  void aClientWhoseRequestsWaitIsNotReadWithoutBound() throws Exception {
    try (WireClient client = member.connect("acme")) {
      client.send("GET first\r\n");
      HeldBatch first = engine.next();
      CompletableFuture<Integer> sender =
          CompletableFuture.supplyAsync(
              () -> {
                byte[] request = WireClient.request("SET", "k", "v".repeat(1_000_000));
                try {
                  for (int i = 0; i < 100; i++) {
                    client.send(request);
                  }
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
                return 100;
              });
      // 100 MB do not fit what the session queues and the kernel buffers: the sender is held back
      assertThat(
              org.assertj.core.api.Assertions.catchThrowable(
                  () -> sender.get(500, java.util.concurrent.TimeUnit.MILLISECONDS)))
          .isInstanceOf(java.util.concurrent.TimeoutException.class);
      first.release();
      assertThat(client.reply()).isEqualTo("$-1\r\n");
      int answered = 0;
      while (answered < 100) {
        HeldBatch batch = engine.next();
        assertThat(batch.valueBytes()).isLessThan(20_000_000);
        batch.release();
        for (int i = 0; i < batch.commands().size(); i++) {
          assertThat(client.reply()).isEqualTo("+OK\r\n");
          answered++;
        }
      }
      assertThat(sender.get()).isEqualTo(100);
    }
  }
}
