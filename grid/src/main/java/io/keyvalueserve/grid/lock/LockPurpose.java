package io.keyvalueserve.grid.lock;

import io.keyvalueserve.engine.TransactionOrigin;
import java.util.Locale;

/** The purposes for which keys are locked. */
public enum LockPurpose {
  /** A Hazelcast client locked the key: {@code IMap.lock}, {@code tryLock}. */
  LOCK("a Hazelcast client"),
  /** A transaction of a Hazelcast client. */
  CLIENT_TRANSACTION("a transaction of a Hazelcast client"),
  /** A command on several keys. */
  COMMAND("a command on several keys"),
  /** {@code MULTI} of a Redis client. */
  MULTI("MULTI of a Redis client"),
  /** A script of a Redis client. */
  SCRIPT("a script of a Redis client"),
  /** A transaction over HTTP. */
  HTTP("a transaction over HTTP"),
  /** A transaction whose coordinator did not say what it is for. */
  TRANSACTION("a transaction");

  private final String words;

  LockPurpose(String words) {
    this.words = words;
  }

  /** Returns the purpose of a transaction's locks. */
  public static LockPurpose of(TransactionOrigin origin) {
    return switch (origin) {
      case COMMAND -> COMMAND;
      case MULTI -> MULTI;
      case SCRIPT -> SCRIPT;
      case HTTP -> HTTP;
    };
  }

  /** Returns the words for who locks a key so, which messages to people use. */
  public String words() {
    return words;
  }

  /** Returns the word that programs know it by. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
