package io.keyvalueserve.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Members in processes of their own, in one cluster, that share a secret. */
final class KvsCluster implements AutoCloseable {
  private static final int SECRET_BYTES = 32;

  private final List<KvsProcess> members = new ArrayList<>();
  private final Path secretFile;

  private final Function<KvsProcess, List<String>> moreArguments;

  private KvsCluster(String name, int size, Function<KvsProcess, List<String>> moreArguments) {
    this.moreArguments = moreArguments;
    this.secretFile = newSecretFile(name);
    for (int i = 1; i <= size; i++) {
      members.add(new KvsProcess(name + i));
    }
  }

  /** A cluster whose members all serve; the first one is the oldest. */
  static KvsCluster start(String name, int size) {
    return start(name, size, member -> List.of());
  }

  /**
   * As {@link #start(String, int)}.
   *
   * @param moreArguments what each member is started with besides
   */
  static KvsCluster start(String name, int size, Function<KvsProcess, List<String>> moreArguments) {
    KvsCluster cluster = new KvsCluster(name, size, moreArguments);
    try {
      cluster.launch(cluster.member(0));
      cluster.member(0).awaitMemberPort(); // it serves when most of the others are there
      for (KvsProcess member : cluster.members.subList(1, size)) {
        cluster.launch(member);
      }
      cluster.awaitReady();
      return cluster;
    } catch (Throwable failure) {
      cluster.close();
      throw failure;
    }
  }

  KvsProcess member(int index) {
    return members.get(index);
  }

  List<KvsProcess> members() {
    return List.copyOf(members);
  }

  /** What {@code --join} says on every member. */
  String addresses() {
    return members.stream().map(KvsProcess::memberAddress).collect(Collectors.joining(","));
  }

  /** Starts a member that is down, as it was started at first; does not wait for it. */
  void launch(KvsProcess member) {
    List<String> arguments = new ArrayList<>(moreArguments.apply(member));
    arguments.addAll(
        List.of("--join", addresses(), "--cluster-secret-file", secretFile.toString()));
    member.launch(arguments.toArray(String[]::new));
  }

  /** Starts the members that are down, and waits until all serve. */
  void repair() {
    members.stream().filter(member -> !member.isRunning()).forEach(this::launch);
    awaitReady();
  }

  /** Ends all members in order, one after the other, then starts all at once, data in place. */
  void restart() {
    members.forEach(KvsProcess::terminate);
    members.forEach(this::launch);
    awaitReady();
  }

  private void awaitReady() {
    members.forEach(KvsProcess::awaitReady);
  }

  /** A file with a new random secret that only this user may read. */
  static Path newSecretFile(String name) {
    byte[] secret = new byte[SECRET_BYTES];
    ThreadLocalRandom.current().nextBytes(secret);
    Path file = Scratch.newFolder(name + "-secret").resolve("cluster.secret");
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      return Files.writeString(file, HexFormat.of().formatHex(secret));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    members.forEach(KvsProcess::close);
    Scratch.delete(secretFile.resolveSibling(""));
  }
}
