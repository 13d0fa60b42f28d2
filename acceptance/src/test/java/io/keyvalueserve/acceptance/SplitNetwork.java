package io.keyvalueserve.acceptance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Networks for members in network namespaces of their own. Members reach each other over one
 * network, whose cables can be pulled; the test reaches all of them over another one, always. Needs
 * root and {@code ip}.
 */
final class SplitNetwork implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final AtomicInteger MADE = new AtomicInteger();

  private final String id =
      Long.toString(ProcessHandle.current().pid() % 100_000, 36) + MADE.incrementAndGet();
  private final int net = 10 + Math.toIntExact(ProcessHandle.current().pid() % 200);
  private final List<String> spaces = new ArrayList<>();

  /** Makes the networks for so many members. */
  SplitNetwork(int members) {
    try {
      ip("link", "add", bridge("m"), "type", "bridge");
      ip("link", "add", bridge("t"), "type", "bridge");
      ip("link", "set", bridge("m"), "up");
      ip("link", "set", bridge("t"), "up");
      ip("addr", "add", tests(254) + "/24", "dev", bridge("t"));
      for (int i = 1; i <= members; i++) {
        addMember(i);
      }
    } catch (Throwable failure) {
      close();
      throw failure;
    }
  }

  private void addMember(int i) {
    String space = "kvs" + id + "n" + i;
    ip("netns", "add", space);
    spaces.add(space);
    ip("-n", space, "link", "set", "lo", "up");
    connect(space, i, "m", "eth0", address(i));
    connect(space, i, "t", "eth1", tests(i));
    ip("route", "add", address(i) + "/32", "via", tests(i));
  }

  private void connect(String space, int i, String kind, String device, String address) {
    ip("link", "add", cable(kind, i), "type", "veth", "peer", "name", device, "netns", space);
    ip("link", "set", cable(kind, i), "master", bridge(kind), "up");
    ip("-n", space, "addr", "add", address + "/24", "dev", device);
    ip("-n", space, "link", "set", device, "up");
  }

  private String bridge(String kind) {
    return "kb" + kind + id;
  }

  private String cable(String kind, int i) {
    return "kv" + kind + id + i;
  }

  /** The address of a member, from 1, for other members and for the test. */
  String address(int member) {
    return "10.201." + net + "." + member;
  }

  private String tests(int host) {
    return "10.202." + net + "." + host;
  }

  /** Returns what a command begins with to run where a member is. */
  List<String> inside(int member) {
    return List.of("ip", "netns", "exec", spaces.get(member - 1));
  }

  /** Pulls a member's cable: no packet passes between it and other members any more. */
  void cut(int member) {
    ip("link", "set", cable("m", member), "down");
  }

  /** Puts it back. */
  void heal(int member) {
    ip("link", "set", cable("m", member), "up");
  }

  /** Drops all packets between two members; others reach both. */
  void cutBetween(int one, int other) {
    ip("-n", spaces.get(one - 1), "route", "add", "blackhole", address(other) + "/32");
    ip("-n", spaces.get(other - 1), "route", "add", "blackhole", address(one) + "/32");
  }

  /** Has them through again. */
  void healBetween(int one, int other) {
    ip("-n", spaces.get(one - 1), "route", "del", "blackhole", address(other) + "/32");
    ip("-n", spaces.get(other - 1), "route", "del", "blackhole", address(one) + "/32");
  }

  private static void ip(String... words) {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(words));
    String _ = Commands.run(Scratch.target(), Map.of(), PATIENCE, command);
  }

  @Override
  public void close() {
    for (String space : spaces) {
      tryTo("netns", "del", space);
    }
    tryTo("link", "del", bridge("m"));
    tryTo("link", "del", bridge("t"));
  }

  private static void tryTo(String... words) {
    try {
      ip(words);
    } catch (AssertionError | RuntimeException notThere) {
      // what was not made need not go
    }
  }
}
