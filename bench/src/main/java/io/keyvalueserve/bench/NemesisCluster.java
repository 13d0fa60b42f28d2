package io.keyvalueserve.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Members in networks of their own, with one tenant, to which faults are done. One thread has
 * faults done; others may connect meanwhile.
 */
final class NemesisCluster implements AutoCloseable {
  private static final long START_SECONDS = 120;
  private static final long POLL_MILLIS = 50;
  private static final long FLAP_MILLIS = 1_500;

  private final MemberNetwork network;
  private final List<OwnCrashServer> members = new ArrayList<>();
  private final List<Path> clocks = new ArrayList<>();
  private final SplittableRandom random;
  private final String key;

  /**
   * Starts them, and waits until they serve.
   *
   * @param folder for their data and output
   * @param clocksStep whether faults set clocks
   * @param random draws how a network flaps
   * @throws BenchException if a member does not start in time
   */
  NemesisCluster(
      Path folder, int size, Durability durability, boolean clocksStep, SplittableRandom random)
      throws IOException {
    this.random = random;
    Files.createDirectories(folder);
    Path secret = CrashCluster.secret(folder);
    SteppedClocks stepped = clocksStep ? new SteppedClocks(folder.resolve("clock")) : null;
    network = new MemberNetwork(size);
    try {
      for (int i = 1; i <= size; i++) {
        members.add(member(folder, i, durability, stepped));
      }
      List<String> addresses = members.stream().map(OwnCrashServer::memberAddress).toList();
      members.forEach(member -> member.join(addresses, secret));
      members.forEach(OwnCrashServer::launch); // none serves before most are there
      awaitServing();
      key = members.getFirst().newTenant();
      awaitSafe();
    } catch (RuntimeException | IOException e) {
      close();
      throw e;
    }
  }

  private OwnCrashServer member(
      Path folder, int number, Durability durability, @Nullable SteppedClocks stepped)
      throws IOException {
    Path own = Files.createDirectories(folder.resolve("member-" + number));
    OwnCrashServer member =
        new OwnCrashServer(network.address(number), own, JvmOptions.usual(), durability);
    List<String> before = new ArrayList<>(network.inside(number));
    Path clock = own.resolve("clock");
    clocks.add(clock);
    if (stepped != null) {
      SteppedClocks.set(clock, 0);
      before.addAll(stepped.before(clock));
    }
    member.after(before);
    return member;
  }

  int size() {
    return members.size();
  }

  /** A member, from 1. */
  OwnCrashServer member(int number) {
    return members.get(number - 1);
  }

  /** Its networks. */
  MemberNetwork network() {
    return network;
  }

  /** The tenant's access key. */
  String key() {
    return key;
  }

  /** Does faults for their times, and ends them. Returns when all have ended. */
  void suffer(NemesisFaults faults) {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (NemesisFault each : faults.each()) {
      all.add(
          CompletableFuture.runAsync(
              () -> suffer(each), task -> Thread.ofPlatform().daemon().start(task)));
      if (all.size() < faults.each().size()) {
        Clock.sleepMillis(faults.gapMillis());
      }
    }
    try {
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
    } catch (CompletionException e) {
      throw new BenchException("a fault could not be done: " + faults, e);
    }
  }

  private void suffer(NemesisFault fault) {
    int member = fault.member();
    int other = fault.other();
    switch (fault.what()) {
      case CUT -> during(fault, () -> network.cut(member), () -> network.heal(member));
      case ONE_WAY ->
          during(
              fault,
              () -> network.cutOneWay(member, other),
              () -> network.healOneWay(member, other));
      case APART ->
          during(
              fault,
              () -> network.cutBetween(member, other),
              () -> network.healBetween(member, other));
      case ALL_APART ->
          during(fault, () -> all().forEach(network::cut), () -> all().forEach(network::heal));
      case FLAPPING -> flap(member, fault.millis());
      case STOPPED -> during(fault, () -> signal("STOP", member), () -> signal("CONT", member));
      case TWO_STOPPED ->
          during(fault, () -> signal("STOP", member, other), () -> signal("CONT", member, other));
      case KILLED -> during(fault, member(member)::kill, member(member)::launch);
      case TWO_KILLED -> {
        member(member).kill();
        Clock.sleepMillis(fault.gapMillis());
        member(other).kill();
        Clock.sleepMillis(fault.millis() - fault.gapMillis());
        member(member).launch();
        member(other).launch();
      }
      case ENDED -> during(fault, member(member)::askToEnd, member(member)::launch);
      case CLOCK ->
          during(
              fault,
              () -> SteppedClocks.set(clocks.get(member - 1), fault.stepSeconds()),
              () -> SteppedClocks.set(clocks.get(member - 1), 0));
      case SLOW -> slow(List.of(member), fault);
      case TWO_SLOW -> slow(List.of(member, other), fault);
      case ALL_SLOW -> slow(all(), fault);
    }
  }

  private static void during(NemesisFault fault, Runnable begin, Runnable end) {
    begin.run();
    Clock.sleepMillis(fault.millis());
    end.run();
  }

  private List<Integer> all() {
    return Stream.iterate(1, i -> i + 1).limit(size()).toList();
  }

  private void slow(List<Integer> those, NemesisFault fault) {
    SlowLink link = Objects.requireNonNull(fault.link());
    during(
        fault,
        () -> those.forEach(member -> network.slow(member, link)),
        () -> those.forEach(network::speedUp));
  }

  private void flap(int member, long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() < end) {
      network.cut(member);
      Clock.sleepMillis(1 + random.nextLong(FLAP_MILLIS));
      network.heal(member);
      Clock.sleepMillis(1 + random.nextLong(FLAP_MILLIS));
    }
  }

  private void signal(String signal, int... those) {
    for (int member : those) {
      member(member).process().signal(signal);
    }
  }

  /**
   * Waits until all serve.
   *
   * @throws BenchException if one does not in time, or has ended by itself
   */
  void awaitServing() {
    for (OwnCrashServer member : members) {
      await(member::isReady, "a member did not serve: " + member.data());
    }
  }

  /**
   * Waits until each entry has its backups.
   *
   * @throws BenchException if some have not in time
   */
  void awaitSafe() {
    await(() -> members.getFirst().isSafe(), "the cluster had not all its backups");
  }

  /**
   * A member that joins again ends its connections; the question is asked again then. What threads
   * do is kept before it is given up.
   */
  private void await(BooleanSupplier isSo, String otherwise) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!answered(isSo, deadline)) {
      if (System.nanoTime() > deadline) {
        members.forEach(NemesisCluster::keepThreads);
        throw new BenchException(otherwise + " within " + START_SECONDS + " s");
      }
      Clock.sleepMillis(POLL_MILLIS);
    }
  }

  private static void keepThreads(OwnCrashServer member) {
    try {
      Files.writeString(member.data().resolveSibling("threads.txt"), member.process().stacks());
    } catch (IOException | BenchException e) {
      // the process has ended: its output says why
    }
  }

  private static boolean answered(BooleanSupplier isSo, long deadline) {
    try {
      return isSo.getAsBoolean();
    } catch (BenchException e) {
      if (System.nanoTime() > deadline) {
        throw e;
      }
      return false;
    }
  }

  @Override
  public void close() {
    members.forEach(OwnCrashServer::close);
    network.close();
  }
}
