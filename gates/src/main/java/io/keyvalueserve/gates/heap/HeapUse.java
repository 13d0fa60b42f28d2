package io.keyvalueserve.gates.heap;

/** The uses of a member's Java heap that count to tenants and to peers. */
public enum HeapUse {
  /** Requests of Hazelcast clients that wait for their answers, and results while gathered. */
  REQUESTS("requests"),
  /** Messages of Hazelcast clients that have come in part. */
  MESSAGES("messages"),
  /** Answers and events that Hazelcast clients have not read. */
  UNREAD("unread"),
  /** Queues, lists, sets, multimaps, locks, listeners, transactions and names. */
  KEPT("kept"),
  /** Large arguments and replies of Redis clients. */
  VALUES("values"),
  /** Requests of Redis clients that are read ahead. */
  READ_AHEAD("read_ahead"),
  /** Arrays that are kept for the replies to come of Redis clients. */
  REPLY_BUFFERS("reply_buffers"),
  /** Compiled scripts of Redis clients. */
  SCRIPTS("scripts"),
  /** Slow logs of tenants at the Redis door. */
  SLOW_LOGS("slow_logs"),
  /** Subscriptions of Redis clients, and messages that wait for them. */
  SUBSCRIBERS("subscribers"),
  /** Places of Redis clients that wait for elements. */
  WAITING("waiting"),
  /** Bodies of HTTP requests and answers. */
  BODIES("bodies"),
  /** Messages and statements of PostgreSQL clients. */
  POSTGRES("postgres"),
  /** Buffers of connections that have not authenticated. */
  WITHOUT_KEY("without_key");

  private final String label;

  HeapUse(String label) {
    this.label = label;
  }

  /** Returns the name that metrics have for it. */
  public String label() {
    return label;
  }
}
