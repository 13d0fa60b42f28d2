package io.keyvalueserve.grid.member;

import com.hazelcast.nio.MemberSocketInterceptor;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proves to each other that two members know the cluster secret, before either speaks Hazelcast.
 *
 * <pre>
 *   acceptor -> connector   magic (8), nonce A (32)
 *   connector -> acceptor   nonce B (32), HMAC(secret, "connect" A B) (32)
 *   acceptor -> connector   HMAC(secret, "accept" A B) (32)
 * </pre>
 *
 * HMAC-SHA-256 (RFC 2104) over fresh nonces of both sides, so a recorded handshake is worth
 * nothing; the two labels keep one side's proof from being reflected as the other's. The secret
 * itself never travels. What follows is not encrypted: the member port belongs on a network of the
 * members' own.
 *
 * <p>Blocks, with a bound on the time that a peer may take for all it sends. The acceptor's side
 * runs on a virtual thread for each peer, the connector's on Hazelcast's threads for opening
 * connections.
 */
public final class MemberHandshake implements MemberSocketInterceptor {
  private static final byte[] MAGIC = "KVSMBR\0\1".getBytes(StandardCharsets.ISO_8859_1);
  private static final int NONCE_BYTES = 32;
  private static final int PROOF_BYTES = 32;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final byte[] CONNECT = "connect".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ACCEPT = "accept".getBytes(StandardCharsets.US_ASCII);
  private static final String ALGORITHM = "HmacSHA256";

  private final SecureRandom random = new SecureRandom();
  private final SecretKeySpec key;
  private final AtomicInteger refusals = new AtomicInteger();

  /**
   * @param secret the cluster secret, 16 bytes or more; it is copied
   */
  public MemberHandshake(byte[] secret) {
    if (secret.length < 16) {
      throw new IllegalArgumentException(
          "cluster secret is too short: bytes=" + secret.length + ", at least 16 are needed");
    }
    this.key = new SecretKeySpec(secret, ALGORITHM);
  }

  /**
   * Returns the number of peers that this member connected to and that did not share its secret.
   */
  public int refusals() {
    return refusals.get();
  }

  @Override
  public void init(Properties properties) {}

  @Override
  public void onAccept(Socket socket) throws IOException {
    int patience = socket.getSoTimeout();
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    byte[] nonceA = nonce();
    socket.getOutputStream().write(concat(MAGIC, nonceA));
    byte[] nonceB = read(socket, NONCE_BYTES, deadline);
    byte[] proof = read(socket, PROOF_BYTES, deadline);
    if (!MessageDigest.isEqual(proof, proof(CONNECT, nonceA, nonceB))) {
      throw new UnknownMemberException(
          "refused a member at "
              + socket.getRemoteSocketAddress()
              + ": it has another cluster secret");
    }
    socket.getOutputStream().write(proof(ACCEPT, nonceA, nonceB));
    socket.setSoTimeout(patience);
  }

  @Override
  public void onConnect(Socket socket) throws IOException {
    int patience = socket.getSoTimeout();
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    byte[] magic = read(socket, MAGIC.length, deadline);
    if (!MessageDigest.isEqual(magic, MAGIC)) {
      throw new IOException(
          socket.getRemoteSocketAddress() + " is not the member port of a KeyValueServe member");
    }
    byte[] nonceA = read(socket, NONCE_BYTES, deadline);
    byte[] nonceB = nonce();
    socket.getOutputStream().write(concat(nonceB, proof(CONNECT, nonceA, nonceB)));
    try {
      if (!MessageDigest.isEqual(
          read(socket, PROOF_BYTES, deadline), proof(ACCEPT, nonceA, nonceB))) {
        throw new IOException("its proof is wrong");
      }
    } catch (IOException e) {
      refusals.incrementAndGet();
      throw new IOException(
          "the member at " + socket.getRemoteSocketAddress() + " has another cluster secret", e);
    }
    socket.setSoTimeout(patience);
  }

  private byte[] nonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    return nonce;
  }

  private byte[] proof(byte[] label, byte[] nonceA, byte[] nonceB) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(label);
      mac.update(nonceA);
      return mac.doFinal(nonceB);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  /** Reads so many bytes and no more. The deadline is for all of them, however they come. */
  private static byte[] read(Socket socket, int bytes, long deadlineNanos) throws IOException {
    byte[] read = new byte[bytes];
    int come = 0;
    while (come < bytes) {
      long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
      if (left <= 0) {
        throw new SocketTimeoutException("the peer was too slow in the members' handshake");
      }
      socket.setSoTimeout((int) left);
      int some = socket.getInputStream().read(read, come, bytes - come);
      if (some < 0) {
        throw new EOFException("the peer closed the connection during the members' handshake");
      }
      come += some;
    }
    return read;
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = new byte[first.length + second.length];
    System.arraycopy(first, 0, both, 0, first.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
