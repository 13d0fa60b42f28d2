package io.keyvalueserve.grid;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A number that all members of a cluster know and nobody else does: the seed of the order in which
 * a partition's keys are kept and scanned. Computed from the cluster secret by HMAC-SHA-256, so it
 * says nothing about that.
 */
final class ClusterSeed {
  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] LABEL = "order of keys".getBytes(StandardCharsets.US_ASCII);

  private ClusterSeed() {}

  /** The seed of the cluster with this secret. */
  static long of(byte[] clusterSecret) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(clusterSecret, ALGORITHM));
      return ByteBuffer.wrap(mac.doFinal(LABEL)).getLong();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
