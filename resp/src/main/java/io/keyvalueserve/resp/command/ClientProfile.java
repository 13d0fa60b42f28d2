package io.keyvalueserve.resp.command;

import io.keyvalueserve.engine.Arithmetic;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.QualifiedName;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The facts that a tenant may know about one of its clients. Holds no key.
 *
 * @param id unique on its member, rising
 * @param address where it connects from
 * @param localAddress where it connected to
 * @param name what it calls itself; may be empty
 * @param ageSeconds how long it has been connected
 * @param idleSeconds how long ago it sent something
 * @param map the map it has selected; null while it speaks for nobody
 * @param tenant whom it speaks for
 * @param protocol 2 or 3
 * @param lastCommand the full name of the command it ran last
 * @param library the name of its library; may be empty
 * @param libraryVersion the version of its library; may be empty
 * @param readAheadBytes of what was read and waits
 * @param requestBytes of requests that wait
 * @param unreadBytes of replies that it has not read
 * @param isMonitor whether it is shown its tenant's requests
 * @param isBlocked whether its present request waits for elements
 * @param channels the number of channels that it has subscribed to
 * @param patterns the number of patterns that it has subscribed to
 * @param shards the number of channels of SPUBLISH that it has subscribed to
 */
public record ClientProfile(
    long id,
    String address,
    String localAddress,
    String name,
    long ageSeconds,
    long idleSeconds,
    @Nullable QualifiedName map,
    String tenant,
    int protocol,
    String lastCommand,
    String library,
    String libraryVersion,
    long readAheadBytes,
    long requestBytes,
    long unreadBytes,
    boolean isMonitor,
    boolean isBlocked,
    int channels,
    int patterns,
    int shards) {

  /** The line of CLIENT LIST, in the order Redis has, and the map. */
  String line() {
    return "id="
        + id
        + " addr="
        + address
        + " laddr="
        + localAddress
        + " fd=-1 name="
        + name
        + " age="
        + ageSeconds
        + " idle="
        + idleSeconds
        + " flags="
        + flags()
        + " db="
        + number()
        + " sub="
        + channels
        + " psub="
        + patterns
        + " ssub="
        + shards
        + " multi=-1 qbuf="
        + readAheadBytes
        + " qbuf-free=0 argv-mem="
        + requestBytes
        + " multi-mem=0 rbs=0 rbp=0 obl=0 oll=0 omem="
        + unreadBytes
        + " tot-mem="
        + (readAheadBytes + requestBytes + unreadBytes)
        + " events=r cmd="
        + lastCommand
        + " user="
        + tenant
        + " redir=-1 resp="
        + protocol
        + " lib-name="
        + library
        + " lib-ver="
        + libraryVersion
        + " map="
        + mapText().replace(' ', '_');
  }

  /** Redis' letters for what it is. */
  private String flags() {
    String flags = (isMonitor ? "O" : "") + (isSubscriber() ? "P" : "") + (isBlocked ? "b" : "");
    return flags.isEmpty() ? "N" : flags;
  }

  /** Returns the name of the map: its own name if it is the tenant's own, else with its owner. */
  public String mapText() {
    if (map == null) {
      return MapName.DEFAULT.value();
    }
    return map.tenant().value().equals(tenant) ? map.map().value() : map.toString();
  }

  /** Returns whether it has subscribed to anything. */
  boolean isSubscriber() {
    return channels + patterns + shards > 0;
  }

  private long number() {
    return map == null
        ? 0
        : Arithmetic.parseInteger(map.map().value().getBytes(StandardCharsets.UTF_8)).orElse(0L);
  }
}
