package io.keyvalueserve.gates.fairness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What scheduling costs: nanoseconds for each slice served, by how many tenants have work and how
 * many sessions each has. Run its main method; arguments: slices of each run, and the numbers of
 * tenants (a process for each of them says what it costs where there are never more).
 */
final class DeficitRoundRobinBench {
  private static final int SLICE_NANOS = 10_000;

  private DeficitRoundRobinBench() {}

  public static void main(String[] args) {
    int slices = args.length > 0 ? Integer.parseInt(args[0]) : 20_000_000;
    int[] counts =
        args.length > 1
            ? Arrays.stream(args).skip(1).mapToInt(Integer::parseInt).toArray()
            : new int[] {1, 2, 8, 100, 10_000};
    for (int round = 0; round < 3; round++) {
      for (int tenants : counts) {
        for (int sessions : new int[] {1, 10}) {
          run("backlogged", tenants, sessions, slices, true);
          run("one by one", tenants, sessions, slices, false);
        }
      }
    }
  }

  private static void run(
      String what, int tenants, int sessions, int slices, boolean areBacklogged) {
    DeficitRoundRobin<Integer> scheduler =
        new DeficitRoundRobin<>(Slicing.DEFAULT, tenant -> 1, new WaitMeters());
    List<Claim<Integer>> claims = new ArrayList<>();
    for (int i = 0; i < tenants * sessions; i++) {
      claims.add(scheduler.enter(1 + i % tenants, i));
    }
    long begin = System.nanoTime();
    long sum =
        areBacklogged ? backlogged(scheduler, claims, slices) : inTurn(scheduler, claims, slices);
    long nanos = System.nanoTime() - begin;
    System.out.printf(
        "%s, %d tenants of %d sessions: %.1f ns (%d)%n",
        what, tenants, sessions, (double) nanos / slices, sum & 1);
  }

  /** All have work all the time. Time goes on by hand: to read a clock costs as much. */
  private static long backlogged(
      DeficitRoundRobin<Integer> scheduler, List<Claim<Integer>> claims, int slices) {
    long now = 0;
    long sum = 0;
    for (Claim<Integer> claim : claims) {
      scheduler.ready(claim, now);
    }
    for (int i = 0; i < slices; i++) {
      Claim<Integer> claim = scheduler.next(now);
      sum += claim == null ? 0 : scheduler.sliceNanos();
      now += SLICE_NANOS;
      scheduler.done(now, 0, true);
    }
    return sum;
  }

  /** Each has work for one slice, and has more when all were served. */
  private static long inTurn(
      DeficitRoundRobin<Integer> scheduler, List<Claim<Integer>> claims, int slices) {
    long now = 0;
    long sum = 0;
    for (int i = 0; i < slices; ) {
      for (Claim<Integer> claim : claims) {
        scheduler.ready(claim, now);
      }
      while (scheduler.next(now) != null) {
        sum += scheduler.sliceNanos();
        now += SLICE_NANOS;
        scheduler.done(now, 0, false);
        i++;
      }
    }
    return sum;
  }
}
