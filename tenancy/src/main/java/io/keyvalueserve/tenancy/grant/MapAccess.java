package io.keyvalueserve.tenancy.grant;

import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * The access of one tenant to a map of another tenant, or to its channels. It follows grants that
 * are given, revoked or expire, so its holder need not ask for another.
 *
 * <p>Thread-safe. Asking takes no lock, makes no object, and costs a few comparisons ({@link
 * KeyRules}); where a grant runs out by itself, a look at the clock too.
 */
public final class MapAccess {
  private static final int MOST_CHARACTERS_SHOWN = 64;

  private final TenantName grantee;
  private final QualifiedName map;
  private final Identity owner;
  private final Supplier<KeyRules> compiler;
  private final InstantSource clock;
  private volatile KeyRules rules = KeyRules.NOTHING;
  private volatile long version;

  MapAccess(
      TenantName grantee,
      QualifiedName map,
      Identity owner,
      Supplier<KeyRules> compiler,
      InstantSource clock) {
    this.grantee = grantee;
    this.map = map;
    this.owner = owner;
    this.compiler = compiler;
    this.clock = clock;
  }

  /** The map. */
  public QualifiedName map() {
    return map;
  }

  /** Returns the owner of the map. This is not the identity of one of the owner's sessions. */
  public Identity owner() {
    return owner;
  }

  /** Returns whether all these rights are granted on a key of this text. */
  public boolean allows(Rights needed, byte[] bytes, int offset, int length) {
    int wanted = needed.bits();
    return (rules().of(bytes, offset, length) & wanted) == wanted;
  }

  /** Returns whether all these rights are granted on every key. */
  public boolean allowsAll(Rights needed) {
    return (rules().all() & needed.bits()) == needed.bits();
  }

  /** Returns whether each of these rights is granted on at least one key. */
  public boolean allowsSome(Rights needed) {
    return (rules().some() & needed.bits()) == needed.bits();
  }

  /** Returns whether anything at all is granted. */
  public boolean allowsAnything() {
    return !rules().isEmpty();
  }

  /** Says why a request on one key is refused. */
  public String refusal(Rights needed, byte[] key) {
    return refusal(needed, "key '" + shown(key) + "'");
  }

  /** Says why a request on the map as a whole is refused. */
  public String refusal(Rights needed) {
    return refusal(needed, "the whole map");
  }

  /** Says why a request is refused that needs any key of the map. */
  public String refusalOfAny(Rights needed) {
    return refusal(needed, "at least one key");
  }

  private String refusal(Rights needed, String keys) {
    return "tenant '"
        + grantee
        + "' needs a grant of "
        + needed.text()
        + " on "
        + keys
        + " of '"
        + map
        + "'; its owner can give one";
  }

  private static String shown(byte[] key) {
    String text = new String(key, StandardCharsets.UTF_8);
    String plain = text.replaceAll("\\p{Cntrl}", "?");
    return plain.length() <= MOST_CHARACTERS_SHOWN
        ? plain
        : plain.substring(0, MOST_CHARACTERS_SHOWN) + "...";
  }

  private KeyRules rules() {
    KeyRules now = rules;
    return now.validUntilMillis() == Long.MAX_VALUE || clock.millis() < now.validUntilMillis()
        ? now
        : compile();
  }

  /**
   * Returns in how many milliseconds the next grant ends by itself; {@code Long.MAX_VALUE} if none
   * does.
   */
  public long millisLeft() {
    long until = rules().validUntilMillis();
    return until == Long.MAX_VALUE ? until : Math.max(0, until - clock.millis());
  }

  /** A number that changes when what is allowed does: to be compared with what it was. */
  public long version() {
    KeyRules _ = rules(); // what has ended meanwhile is a change too
    return version;
  }

  /** Takes in what has changed. Should that fail, nothing is allowed. */
  void refresh() {
    try {
      KeyRules _ = compile();
    } catch (RuntimeException e) {
      synchronized (this) {
        version++;
        rules = KeyRules.NOTHING;
      }
    }
  }

  private synchronized KeyRules compile() {
    KeyRules compiled = compiler.get();
    if (!compiled.allowsTheSameAs(rules)) {
      version++;
    }
    rules = compiled;
    return compiled;
  }
}
