package io.keyvalueserve.engine;

/** The kinds of requests that are carried out as transactions: people are told of them. */
public enum TransactionOrigin {
  /** A command on several keys, such as {@code RENAME}. */
  COMMAND,
  /** A block of commands, from {@code MULTI} to {@code EXEC}. */
  MULTI,
  /** A script of a Redis client. */
  SCRIPT,
  /** A transaction over HTTP. */
  HTTP
}
