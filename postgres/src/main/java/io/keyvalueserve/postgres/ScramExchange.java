package io.keyvalueserve.postgres;

import io.keyvalueserve.postgres.wire.PostgresException;
import io.keyvalueserve.postgres.wire.ProtocolException;
import io.keyvalueserve.tenancy.Scram;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The messages of one authentication with SCRAM-SHA-256 (RFC 5802), without channel binding. Not
 * thread-safe.
 */
final class ScramExchange {
  static final String MECHANISM = "SCRAM-SHA-256";

  private static final int MOST_CHARACTERS = 1024;

  private final String tenant;
  private final String serverNonce;
  private String header = "";
  private String clientFirst = "";
  private String serverFirst = "";

  /**
   * Begins an exchange.
   *
   * @param tenant the name that the client has sent
   * @param nonce random characters but a comma
   */
  ScramExchange(String tenant, String nonce) {
    this.tenant = tenant;
    this.serverNonce = nonce;
  }

  /** The messages that both have exchanged, as they are signed, and the client's proof. */
  record Signed(byte[] messages, byte[] proof) {}

  /** Answers the client's first message. */
  String answer(String message) {
    if (message.length() > MOST_CHARACTERS) {
      throw new ProtocolException("the client's first SCRAM message is too long");
    }
    int first = message.indexOf(',');
    int second = message.indexOf(',', first + 1);
    if (first < 0 || second < 0) {
      throw malformed("first");
    }
    String binding = message.substring(0, first);
    if (binding.startsWith("p=")) {
      throw new PostgresException(
          "08P01", "channel binding is not offered: use SCRAM-SHA-256 without it");
    }
    if (!binding.equals("n") && !binding.equals("y")) {
      throw malformed("first");
    }
    if (second > first + 1) {
      throw new PostgresException("0A000", "SCRAM's authorization identity is not supported");
    }
    header = message.substring(0, second + 1);
    clientFirst = message.substring(second + 1);
    String[] parts = clientFirst.split(",", -1);
    if (parts.length < 2 || !parts[0].startsWith("n=") || !isNonce(parts[1])) {
      throw malformed("first");
    }
    serverFirst =
        parts[1]
            + serverNonce
            + ",s="
            + Base64.getEncoder().encodeToString(Scram.salt(tenant))
            + ",i="
            + Scram.ITERATIONS;
    return serverFirst;
  }

  private static boolean isNonce(String part) {
    return part.startsWith("r=")
        && part.length() > 2
        && part.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }

  /** Reads the client's last message. */
  Signed last(String message) {
    int proofAt = message.lastIndexOf(",p=");
    if (message.length() > MOST_CHARACTERS || proofAt < 0) {
      throw malformed("last");
    }
    String withoutProof = message.substring(0, proofAt);
    String[] parts = withoutProof.split(",", -1);
    String nonce = serverFirst.substring(0, serverFirst.indexOf(','));
    byte[] bytes = header.getBytes(StandardCharsets.UTF_8);
    if (parts.length < 2
        || !parts[0].equals("c=" + Base64.getEncoder().encodeToString(bytes))
        || !parts[1].equals(nonce)) {
      throw malformed("last");
    }
    try {
      return new Signed(
          (clientFirst + "," + serverFirst + "," + withoutProof).getBytes(StandardCharsets.UTF_8),
          Base64.getDecoder().decode(message.substring(proofAt + 3)));
    } catch (IllegalArgumentException e) {
      throw malformed("last");
    }
  }

  private static ProtocolException malformed(String which) {
    return new ProtocolException("the client's " + which + " SCRAM message is malformed");
  }
}
