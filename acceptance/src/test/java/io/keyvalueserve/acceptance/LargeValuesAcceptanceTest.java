package io.keyvalueserve.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Jedis;

/**
 * Goal: whoever is being sent a large value gets the one that was there when it asked, what was
 * sent in part is never seen, and nobody else is harmed if a client leaves before the end. Method:
 * readers that stop after the length of the value, writers that stop anywhere.
 */
@ExtendWith(SharedServer.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LargeValuesAcceptanceTest {
  private static final String MAP = "documents";
  private static final String KEY = "large";
  private static final int BYTES = 12 << 20;
  private static final int OVERWRITES = 10;
  private static final int LEAVING = 20;

  private final KvsProcess server;
  private final Tenant tenant;

  LargeValuesAcceptanceTest(KvsProcess server) {
    this.server = server;
    this.tenant = server.admin().createTenant("large-values");
  }

  private RespSocket whoHasAskedAndReadTheLength() throws IOException {
    RespSocket reader = RespSocket.open(server, tenant, MAP);
    reader.send(RespSocket.command("GET", KEY));
    assertThat(reader.readLine()).isEqualTo("$" + BYTES);
    return reader;
  }

  @Test
  void aSlowReaderGetsWhatWasThereWhenItAsked() throws IOException {
    String first = "a".repeat(BYTES);
    try (Jedis jedis = RedisDoor.jedis(server, tenant, MAP)) {
      assertThat(jedis.set(KEY, first)).isEqualTo("OK");
      try (RespSocket reader = whoHasAskedAndReadTheLength()) {
        for (int i = 0; i < OVERWRITES; i++) {
          assertThat(jedis.set(KEY, "b".repeat(BYTES - i))).isEqualTo("OK");
        }
        assertThat(jedis.del(KEY)).isOne();
        assertThat(reader.readLine()).isEqualTo(first);
      }
    }
  }

  /** The beginnings of values that never came as a whole, and others that did. */
  @Test
  void whoLeavesWhileItSendsHarmsNobody() throws IOException {
    String whole = RespSocket.command("SET", KEY, "d".repeat(BYTES), "EX", "1000");
    try (Jedis jedis = RedisDoor.jedis(server, tenant, MAP)) {
      assertThat(jedis.set(KEY, "before")).isEqualTo("OK");
      for (int i = 1; i <= LEAVING; i++) {
        RespSocket writer = RespSocket.open(server, tenant, MAP);
        writer.send(whole.substring(0, i * (whole.length() / (LEAVING + 1))));
        writer.close();
        assertThat(jedis.get(KEY)).isEqualTo("before");
      }
      try (RespSocket writer = RespSocket.open(server, tenant, MAP)) {
        writer.send(whole);
        assertThat(writer.readLine()).isEqualTo("+OK");
      }
      assertThat(jedis.get(KEY)).isEqualTo("d".repeat(BYTES));
      assertThat(jedis.ttl(KEY)).isBetween(900L, 1000L);
      assertThat(jedis.del(KEY)).isOne();
    }
  }

  /** And that it is where the value is kept: what is received elsewhere is not pinned. */
  @Test
  void whatIsOnItsWayIsShown() throws IOException {
    String whole = RespSocket.command("SET", KEY, "e".repeat(BYTES));
    try (Jedis jedis = RedisDoor.jedis(server, tenant, MAP)) {
      jedis.set(KEY, "before"); // what nobody has written to yet is not written at once
    }
    try (RespSocket writer = RespSocket.open(server, tenant, MAP)) {
      writer.send(whole.substring(0, BYTES / 2));
      await().until(() -> pinnedBytes() >= BYTES);
      writer.send(whole.substring(BYTES / 2));
      assertThat(writer.readLine()).isEqualTo("+OK");
      await().until(() -> pinnedBytes() == 0);
    }
    RespSocket reader = whoHasAskedAndReadTheLength();
    await().until(() -> pinnedBytes() >= BYTES);
    reader.close();
    await().until(() -> pinnedBytes() == 0);
  }

  private long pinnedBytes() {
    return server.admin().memory().path("pinnedBytes").asLong();
  }

  @Test
  void whoLeavesBeforeTheEndHarmsNobody() throws IOException {
    String value = "c".repeat(BYTES);
    try (Jedis jedis = RedisDoor.jedis(server, tenant, MAP)) {
      assertThat(jedis.set(KEY, value)).isEqualTo("OK");
      for (int i = 0; i < LEAVING; i++) {
        whoHasAskedAndReadTheLength().close();
        assertThat(jedis.set(KEY, value)).isEqualTo("OK");
      }
      assertThat(jedis.get(KEY)).isEqualTo(value);
    }
  }
}
