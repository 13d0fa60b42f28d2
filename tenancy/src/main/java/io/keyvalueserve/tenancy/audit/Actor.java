package io.keyvalueserve.tenancy.audit;

import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.TenantName;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Locale;
import java.util.Optional;

/**
 * The one who did something. Each has one text, by which it is stored, shown and searched: {@code
 * operator@10.0.0.1}, {@code tenant:acme/AbCdEfGhIj}, {@code client@10.0.0.1}, {@code member},
 * {@code many}.
 */
public sealed interface Actor {
  /** Characters of an address or a key's id that are kept. */
  int MOST_CHARACTERS = 64;

  /**
   * A holder of the operator's key.
   *
   * @param address where it came from, without a port; empty if that is not known
   */
  record Operator(String address) implements Actor {
    public Operator {
      address = AuditText.of(address, MOST_CHARACTERS);
    }

    @Override
    public String text() {
      return address.isEmpty() ? "operator" : "operator@" + address;
    }
  }

  /**
   * A tenant, by one of its access keys.
   *
   * @param keyId the key's public half
   */
  record TenantKey(TenantName tenant, String keyId) implements Actor {
    public TenantKey {
      keyId = AuditText.of(keyId, MOST_CHARACTERS);
    }

    @Override
    public String text() {
      return "tenant:" + tenant + "/" + keyId;
    }
  }

  /**
   * A client that has not proved who it is.
   *
   * @param address where it came from, without a port: a client that connects again has another
   *     port and is the same client
   */
  record Client(String address) implements Actor {
    public Client {
      address = AuditText.of(address, MOST_CHARACTERS);
    }

    @Override
    public String text() {
      return "client@" + address;
    }
  }

  /** The member itself, or many actors in one event. */
  enum Other implements Actor {
    MEMBER,
    /** More actors than could be told apart; see {@link AuditConfig#coalescedEvents}. */
    MANY;

    @Override
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The one form for files, people and queries. */
  String text();

  /** The tenant that a session speaks for. */
  static Actor of(Identity identity) {
    return new TenantKey(identity.tenant(), identity.keyId());
  }

  /** A client by its connection; the port is left out. */
  static Actor client(SocketAddress remote) {
    return new Client(address(remote));
  }

  /** The operator by its connection; the port is left out. */
  static Actor operator(SocketAddress remote) {
    return new Operator(address(remote));
  }

  /**
   * A connection's remote address as it is kept: no port, and never a question to a name server.
   */
  static String address(SocketAddress remote) {
    if (!(remote instanceof InetSocketAddress internet)) {
      return remote.toString();
    }
    return internet.isUnresolved()
        ? internet.getHostString()
        : internet.getAddress().getHostAddress();
  }

  /** Reads {@link #text}; empty if it is none. */
  static Optional<Actor> parse(String text) {
    if (text.equals("operator")) {
      return Optional.of(new Operator(""));
    }
    int at = text.indexOf('@');
    if (text.startsWith("operator@")) {
      return Optional.of(new Operator(text.substring(at + 1)));
    }
    if (text.startsWith("client@")) {
      return Optional.of(new Client(text.substring(at + 1)));
    }
    if (text.startsWith("tenant:")) {
      int slash = text.indexOf('/');
      String name = slash < 0 ? "" : text.substring("tenant:".length(), slash);
      return TenantName.isValid(name)
          ? Optional.of(new TenantKey(new TenantName(name), text.substring(slash + 1)))
          : Optional.empty();
    }
    for (Other other : Other.values()) {
      if (other.text().equals(text)) {
        return Optional.of(other);
      }
    }
    return Optional.empty();
  }
}
