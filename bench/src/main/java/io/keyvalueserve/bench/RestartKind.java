package io.keyvalueserve.bench;

import java.io.IOException;
import java.util.List;

/** Who is killed and started again, and in which form it has its data then. */
enum RestartKind {
  KVS_EVERYSEC("kvs everysec"),
  /** It loads everything before it serves, with nothing else to do meanwhile. */
  KVS_CLOSED("kvs closed"),
  KVS_ALWAYS("kvs always"),
  /** Nothing but a tenant. */
  KVS_EMPTY("kvs empty"),
  /** The log as it was written, a command for each write. */
  REDIS_AOF("redis aof"),
  /** The log after a rewriting, which leaves an RDB file at its head. */
  REDIS_REWRITTEN("redis aof rewritten"),
  /** A snapshot without a log. */
  REDIS_RDB("redis rdb"),
  REDIS_EMPTY("redis empty");

  /** What everysec promises, and a moment for the disk to take it. */
  private static final long EVERYSEC_MILLIS = 1_500;

  private static final List<String> REDIS_LOG =
      List.of(
          "--appendonly",
          "yes",
          "--appendfsync",
          Durability.EVERYSEC.redis,
          "--aof-use-rdb-preamble",
          "yes",
          "--auto-aof-rewrite-percentage",
          "0");

  private final String text;

  RestartKind(String text) {
    this.text = text;
  }

  boolean isOwn() {
    return this == KVS_EVERYSEC || this == KVS_CLOSED || this == KVS_ALWAYS || this == KVS_EMPTY;
  }

  boolean isEmpty() {
    return this == empty();
  }

  /** Whether it answers before all of its data are in memory. */
  boolean servesWhileLoading() {
    return isOwn() && this != KVS_CLOSED;
  }

  /** The same server without data. */
  RestartKind empty() {
    return isOwn() ? KVS_EMPTY : REDIS_EMPTY;
  }

  /** When a member of this product writes to its disk. */
  Durability durability() {
    return this == KVS_ALWAYS ? Durability.ALWAYS : Durability.EVERYSEC;
  }

  /** The arguments that say when a member of this product serves. */
  List<String> ownArguments() {
    return List.of("--while-loading", servesWhileLoading() ? "wait" : "closed");
  }

  /** The arguments that say how a Redis server keeps its data. */
  List<String> redisArguments() {
    return this == REDIS_RDB ? List.of("--appendonly", "no") : REDIS_LOG;
  }

  /** Has the server bring all that it has answered to its disk, in its form. Blocks. */
  void settle(RespConnection connection) throws IOException {
    switch (this) {
      case KVS_EVERYSEC, KVS_CLOSED, KVS_EMPTY -> Clock.sleepMillis(EVERYSEC_MILLIS);
      case KVS_ALWAYS -> {} // it is in the file
      case REDIS_AOF, REDIS_EMPTY -> new RedisControl(connection).awaitWritten();
      case REDIS_REWRITTEN -> new RedisControl(connection).rewrite();
      case REDIS_RDB -> new RedisControl(connection).save();
    }
  }

  /** What the results call it. */
  @Override
  public String toString() {
    return text;
  }
}
