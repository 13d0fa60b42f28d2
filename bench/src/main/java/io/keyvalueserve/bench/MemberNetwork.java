package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Networks for members in network namespaces of their own. Members reach each other over one
 * network, which can be broken; who made them reaches all members over another one, always. Needs
 * root and the programs {@code ip} and {@code tc}. Faults may be done by several threads, to
 * different members or of different kinds.
 */
public final class MemberNetwork implements AutoCloseable {
  private static final AtomicInteger MADE = new AtomicInteger();

  private final String id =
      Long.toString(ProcessHandle.current().pid() % 100_000, 36) + MADE.incrementAndGet();
  private final int net = 10 + Math.toIntExact(ProcessHandle.current().pid() % 200);
  private final List<String> spaces = new ArrayList<>();

  /**
   * Makes the networks.
   *
   * @param members how many members there are, numbered from 1
   * @throws IllegalStateException if this process may not, or {@code ip} is not installed
   */
  public MemberNetwork(int members) {
    try {
      ip("link", "add", bridge("m"), "type", "bridge");
      ip("link", "add", bridge("t"), "type", "bridge");
      ip("link", "set", bridge("m"), "up");
      ip("link", "set", bridge("t"), "up");
      ip("addr", "add", maker(254) + "/24", "dev", bridge("t"));
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
    connect(space, i, "t", "eth1", maker(i));
    ip("route", "add", address(i) + "/32", "via", maker(i));
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

  /** The address of a member, for other members and for who made the networks. */
  public String address(int member) {
    return "10.201." + net + "." + member;
  }

  private String maker(int host) {
    return "10.202." + net + "." + host;
  }

  /** Returns what a command begins with to run where a member is. */
  public List<String> inside(int member) {
    return List.of("ip", "netns", "exec", spaces.get(member - 1));
  }

  /** Pulls a member's cable: no packet passes between it and other members any more. */
  public void cut(int member) {
    ip("link", "set", cable("m", member), "down");
  }

  /** Puts it back. */
  public void heal(int member) {
    ip("link", "set", cable("m", member), "up");
  }

  /** Drops all packets between two members; others reach both. */
  public void cutBetween(int one, int other) {
    cutOneWay(one, other);
    cutOneWay(other, one);
  }

  /** Has them through again. */
  public void healBetween(int one, int other) {
    healOneWay(one, other);
    healOneWay(other, one);
  }

  /** Drops all packets from one member to another; those of the other way pass. */
  public void cutOneWay(int from, int to) {
    ip("-n", spaces.get(from - 1), "route", "add", "blackhole", address(to) + "/32");
  }

  /** Has them through again. */
  public void healOneWay(int from, int to) {
    ip("-n", spaces.get(from - 1), "route", "del", "blackhole", address(to) + "/32");
  }

  /** Has packets between a member and all others come late, and some of them not at all. */
  public void slow(int member, SlowLink link) {
    List<String> netem = link.netem();
    tc(inNamespace(member, "replace", netem));
    tc(onBridge(member, "replace", netem));
  }

  /** Has them through at once again. */
  public void speedUp(int member) {
    tc(inNamespace(member, "del", List.of()));
    tc(onBridge(member, "del", List.of()));
  }

  private String[] inNamespace(int member, String what, List<String> rest) {
    return words(List.of("-n", spaces.get(member - 1), "qdisc", what, "dev", "eth0", "root"), rest);
  }

  private String[] onBridge(int member, String what, List<String> rest) {
    return words(List.of("qdisc", what, "dev", cable("m", member), "root"), rest);
  }

  private static String[] words(List<String> some, List<String> rest) {
    List<String> all = new ArrayList<>(some);
    all.addAll(rest);
    return all.toArray(String[]::new);
  }

  /** Why links cannot be made slow here; empty if they can. */
  public static Optional<String> whyLinksCannotBeSlow() {
    try (MemberNetwork network = new MemberNetwork(1)) {
      network.slow(1, new SlowLink(1, 0, 0));
      return Optional.empty();
    } catch (IllegalStateException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static void ip(String... words) {
    run(
        "ip",
        words,
        "networks for members need root and network namespaces",
        "networks for members need the program ip (iproute2)");
  }

  private static void tc(String... words) {
    run(
        "tc",
        words,
        "slow links need netem in the kernel (CONFIG_NET_SCH_NETEM, module sch_netem)",
        "slow links need the program tc (iproute2)");
  }

  private static void run(String program, String[] words, String needed, String missing) {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of(words));
    Children.Said said;
    try {
      said = Children.run(command);
    } catch (BenchException e) {
      throw new IllegalStateException(missing, e);
    }
    if (said.exit() != 0) {
      throw new IllegalStateException(
          needed + ": '" + String.join(" ", command) + "' said: " + said.text().strip());
    }
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
    } catch (RuntimeException notThere) {
      // what was not made need not go
    }
  }
}
