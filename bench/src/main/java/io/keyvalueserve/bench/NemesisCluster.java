package io.keyvalueserve.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Members in networks of their own, with one tenant, to which faults are done. One thread does
 * faults; others may connect meanwhile.
 */
final class NemesisCluster implements AutoCloseable {
  private static final long START_SECONDS = 120;
  private static final long POLL_MILLIS = 50;
  private static final long FLAP_MILLIS = 1_500;
  private static final List<Path> CLOCK_LIBRARIES =
      List.of(
          Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"),
          Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1"),
          Path.of("/usr/lib/faketime/libfaketime.so.1"));

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
    Path secret = secret(folder);
    network = new MemberNetwork(size);
    try {
      for (int i = 1; i <= size; i++) {
        members.add(member(folder, i, durability, clocksStep));
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

  /** The library that gives a process another wall clock, if it is installed. */
  static Optional<Path> clockLibrary() {
    return CLOCK_LIBRARIES.stream().filter(Files::exists).findFirst();
  }

  private OwnCrashServer member(Path folder, int number, Durability durability, boolean clocksStep)
      throws IOException {
    Path own = Files.createDirectories(folder.resolve("member-" + number));
    OwnCrashServer member =
        new OwnCrashServer(network.address(number), own, JvmOptions.usual(), durability);
    List<String> before = new ArrayList<>(network.inside(number));
    Path clock = own.resolve("clock");
    clocks.add(clock);
    if (clocksStep) {
      Files.writeString(clock, "+0");
      before.addAll(
          List.of(
              "env",
              "LD_PRELOAD=" + clockLibrary().orElseThrow(),
              "FAKETIME_TIMESTAMP_FILE=" + clock,
              "FAKETIME_CACHE_DURATION=1",
              "DONT_FAKE_MONOTONIC=1"));
    }
    member.after(before);
    return member;
  }

  private static Path secret(Path folder) throws IOException {
    Path file =
        Files.createFile(
            folder.resolve("cluster.secret"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, UUID.randomUUID() + "-" + UUID.randomUUID());
  }

  int size() {
    return members.size();
  }

  /** A member, from 1. */
  OwnCrashServer member(int number) {
    return members.get(number - 1);
  }

  /** The tenant's access key. */
  String key() {
    return key;
  }

  /** Does a fault for its time, then ends it. Returns when it has ended. */
  void suffer(NemesisFault fault) {
    int member = fault.member();
    int other = fault.other();
    switch (fault.what()) {
      case CUT -> {
        network.cut(member);
        Clock.sleepMillis(fault.millis());
        network.heal(member);
      }
      case ONE_WAY -> {
        network.cutOneWay(member, other);
        Clock.sleepMillis(fault.millis());
        network.healOneWay(member, other);
      }
      case APART -> {
        network.cutBetween(member, other);
        Clock.sleepMillis(fault.millis());
        network.healBetween(member, other);
      }
      case ALL_APART -> {
        all().forEach(network::cut);
        Clock.sleepMillis(fault.millis());
        all().forEach(network::heal);
      }
      case FLAPPING -> flap(member, fault.millis());
      case STOPPED -> {
        signal(member, "STOP");
        Clock.sleepMillis(fault.millis());
        signal(member, "CONT");
      }
      case TWO_STOPPED -> {
        signal(member, "STOP");
        signal(other, "STOP");
        Clock.sleepMillis(fault.millis());
        signal(member, "CONT");
        signal(other, "CONT");
      }
      case KILLED -> {
        member(member).kill();
        Clock.sleepMillis(fault.millis());
        member(member).launch();
      }
      case TWO_KILLED -> {
        member(member).kill();
        Clock.sleepMillis(fault.gapMillis());
        member(other).kill();
        Clock.sleepMillis(fault.millis() - fault.gapMillis());
        member(member).launch();
        member(other).launch();
      }
      case ENDED -> {
        member(member).askToEnd();
        Clock.sleepMillis(fault.millis());
        member(member).launch();
      }
      case CLOCK -> {
        set(member, fault.stepSeconds());
        Clock.sleepMillis(fault.millis());
        set(member, 0);
      }
    }
  }

  private List<Integer> all() {
    return Stream.iterate(1, i -> i + 1).limit(size()).toList();
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

  private void signal(int member, String signal) {
    String pid = member(member).process().pid();
    try {
      if (new ProcessBuilder("kill", "-" + signal, pid).inheritIO().start().waitFor() != 0) {
        throw new BenchException("kill -" + signal + " " + pid + " failed");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the program kill cannot be run", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("interrupted", e);
    }
  }

  private void set(int member, int stepSeconds) {
    try {
      Path next = clocks.get(member - 1).resolveSibling("clock.next");
      Files.writeString(next, (stepSeconds < 0 ? "" : "+") + stepSeconds);
      Files.move(
          next,
          clocks.get(member - 1),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("a member's clock cannot be set", e);
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
