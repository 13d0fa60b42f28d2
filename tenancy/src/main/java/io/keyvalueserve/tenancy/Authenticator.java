package io.keyvalueserve.tenancy;

/**
 * Tells a door who is there. Every door asks the same one.
 *
 * <p>Thread-safe; never blocks and never leaves this process, so an event loop may call it.
 */
public interface Authenticator {
  /**
   * Checks a tenant's name and one of its access keys.
   *
   * @param tenant the name as the client sent it, whatever it holds
   * @param accessKey the access key as the client sent it, in UTF-8
   * @return an identity, or one and the same refusal whether the tenant is unknown or suspended,
   *     the key is wrong or revoked; both take the same time. Another one, for all, before the
   *     catalogue is known
   */
  Authentication authenticate(String tenant, byte[] accessKey);

  /**
   * Checks an access key that comes without a name: the key alone says whose it is.
   *
   * @param accessKey the access key as the client sent it, in UTF-8
   */
  Authentication authenticateToken(byte[] accessKey);

  /**
   * The identity of a client that sent no credentials at all.
   *
   * @return the tenant {@code dev} on a member that runs with {@code --dev}, a refusal on all
   *     others
   */
  Authentication authenticateAnonymous();

  /**
   * Returns whether a client that names a tenant is to prove its key with SCRAM-SHA-256. It is to
   * send the key instead if one of the tenant's keys has no verifier, because an older version made
   * it.
   *
   * @param tenant the name as the client sent it, whatever it holds; true if there is none
   */
  default boolean usesScram(String tenant) {
    return false;
  }

  /**
   * Checks the proof of a client that it has one of a tenant's access keys.
   *
   * @param tenant the name as the client sent it, whatever it holds
   * @param signed the messages that client and server have exchanged, as RFC 5802 joins them; the
   *     salt is that of {@link Scram#salt}
   * @param proof the client's, of any length
   * @return one and the same refusal whatever is wrong, as {@link #authenticate} has
   */
  default ScramAnswer authenticateScram(String tenant, byte[] signed, byte[] proof) {
    return new ScramAnswer(Authentication.Refused.REFUSED, new byte[0]);
  }
}
