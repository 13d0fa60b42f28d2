package io.keyvalueserve.bench;

import java.util.Locale;

/** What an aggressor does to a server, as hard as it can. */
enum IsolationAggression {
  /** The aggressor's process is as busy as the others, and asks the server nothing. */
  CONTROL("computes and asks nothing: what the victim pays the load's own core"),
  CONNECTIONS("ten times the victim's connections, each asking again when it is answered"),
  PIPELINES("connections with 1,000 requests on their way each"),
  HUGE_VALUES("writes and reads huge values"),
  MGET("reads 10,000 keys with each request"),
  SCANS("lists all of its keys, again and again"),
  HOT_KEY("many connections read and write one key"),
  STORM("connects, logs in, asks once, closes; again and again"),
  FLOOD("writes new keys without end"),
  LOCKS("a Hazelcast client locks keys of the victim's map that the victim does not use"),
  SNAPSHOTS("the operator takes snapshots of its keys, one after the other"),
  /** The only aggressor that is no tenant. */
  PEERS("very many connections without a key at all ports, doing their worst");

  /** A line about it. */
  final String what;

  IsolationAggression(String what) {
    this.what = what;
  }

  /** Whether it writes what nobody else reads, and has a place of its own for that. */
  boolean writes() {
    return this == FLOOD || this == HUGE_VALUES;
  }

  /** What the options of the bench call it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
