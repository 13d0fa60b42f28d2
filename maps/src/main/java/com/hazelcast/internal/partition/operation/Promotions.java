package com.hazelcast.internal.partition.operation;

import com.hazelcast.spi.impl.operationservice.Operation;

/**
 * Tells promotions from migrations: to a service both look alike, a replica that becomes the first.
 * Lives in Hazelcast's package because the operation's class is package-private.
 */
public final class Promotions {
  private Promotions() {}

  /**
   * Returns whether an operation prepares a backup to become the owner because the owner is gone.
   */
  public static boolean isOne(Operation operation) {
    return operation instanceof BeforePromotionOperation;
  }
}
