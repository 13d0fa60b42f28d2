package io.keyvalueserve.hazelcast;

import java.util.concurrent.CountDownLatch;

/** A partition of a member that nobody else can use. */
final class HeldPartition implements AutoCloseable {
  private final CountDownLatch taken = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  private HeldPartition() {}

  /** The last one that a change comes to. */
  static HeldPartition of(DoorMember member) throws InterruptedException {
    return of(member, Messages.PARTITIONS - 1);
  }

  static HeldPartition of(DoorMember member, int partition) throws InterruptedException {
    HeldPartition held = new HeldPartition();
    Thread _ =
        Thread.ofPlatform()
            .daemon()
            .start(() -> member.member.maps().exclusively(partition, held::waitForRelease));
    held.taken.await();
    return held;
  }

  private void waitForRelease() {
    taken.countDown();
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    release.countDown();
  }
}
