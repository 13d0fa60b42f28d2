package io.keyvalueserve.hazelcast;

import com.hazelcast.client.AuthenticationException;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import com.hazelcast.core.HazelcastOverloadException;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.security.Credentials;
import com.hazelcast.security.PasswordCredentials;
import com.hazelcast.security.TokenCredentials;
import io.keyvalueserve.gates.policy.TenantPolicy;
import io.keyvalueserve.gates.visit.Visit;
import io.keyvalueserve.tenancy.Authentication;
import io.keyvalueserve.tenancy.Authenticator;
import io.keyvalueserve.tenancy.Door;
import io.keyvalueserve.tenancy.Identity;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.FailedLoginException;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.jspecify.annotations.Nullable;

/**
 * One client's login in the form that Hazelcast asks for. The decision is the {@link
 * Authenticator}'s; this opens the {@link DoorSession}.
 */
final class TenantLogin extends LoginContext {
  private static final Configuration NO_MODULES =
      new Configuration() {
        @Override
        public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
          return new AppConfigurationEntry[] {
            new AppConfigurationEntry(
                "none", AppConfigurationEntry.LoginModuleControlFlag.OPTIONAL, Map.of())
          };
        }
      };

  private final Credentials credentials;
  private final Connection connection;
  private final TenantPolicy policy;
  private final TenantsHold hold;
  private final Subject subject = new Subject();
  private volatile @Nullable DoorSession session;

  TenantLogin(Credentials credentials, Connection connection, TenantPolicy policy, TenantsHold hold)
      throws LoginException {
    super("kvs", new Subject(), null, NO_MODULES);
    this.credentials = credentials;
    this.connection = connection;
    this.policy = policy;
    this.hold = hold;
  }

  @SuppressWarnings("unchecked") // Hazelcast's attribute map is a raw type
  @Override
  public void login() throws LoginException {
    Authentication authentication = authentication();
    if (authentication == Authentication.Refused.NOT_READY) {
      // Clients try again after this one; a refusal they might take for good.
      throw new HazelcastInstanceNotActiveException("the member is starting");
    }
    if (!(authentication instanceof Authentication.Accepted(Identity identity))) {
      String shown = credentials == null ? null : credentials.getName();
      long wait = policy.keyRefused(shown == null ? "" : shown, Door.HAZELCAST, address());
      throw wait == 0 ? refusal() : heldBack(wait);
    }
    DoorSession opened = new DoorSession(identity, connection, policy, hold);
    session = opened;
    connection.attributeMap().put(LoginContext.class, this); // a connection that closes logs out
    opened.attach();
    Visit.NoEntry keptOut = opened.visit().enter(opened);
    if (keptOut != null) {
      opened.detach();
      opened.release();
      switch (keptOut.entry()) {
        case TOO_MANY -> throw new HazelcastOverloadException(keptOut.reason());
        // Clients of all languages take it as this member's alone, and stay with the others.
        case RESERVED -> throw new AuthenticationException(keptOut.reason());
        case ENTERED, NO_LONGER_VALID -> throw refusal();
      }
    }
    ClientPeer peer = ClientPeer.of(connection);
    boolean late = peer != null && !peer.authenticated();
    if (late || !connection.isAlive()) { // closed meanwhile: it may have logged out before
      policy.sessions().unregister(opened);
      opened.release();
      throw refusal();
    }
    subject.setReadOnly();
    opened.visit().entered(address());
  }

  private SocketAddress address() {
    InetSocketAddress remote = connection.getRemoteSocketAddress();
    return remote == null ? InetSocketAddress.createUnresolved("unknown", 0) : remote;
  }

  @Override
  public Subject getSubject() {
    return subject;
  }

  /**
   * Takes the session out of the registry. A connection that closes calls this itself; its
   * listeners are not told of one that closes while Hazelcast has yet to enter it.
   */
  @Override
  public void logout() {
    DoorSession open = session;
    if (open != null) {
      policy.sessions().unregister(open);
      open.release();
    }
  }

  private Authentication authentication() {
    Authenticator authenticator = policy.authenticator();
    if (credentials instanceof TokenCredentials token) {
      return authenticator.authenticateToken(token.getToken());
    }
    if (!(credentials instanceof PasswordCredentials password)) {
      return Authentication.Refused.REFUSED;
    }
    String name = credentials.getName();
    String key = password.getPassword();
    if (isEmpty(name) && isEmpty(key)) {
      return authenticator.authenticateAnonymous();
    }
    return name == null || key == null
        ? Authentication.Refused.REFUSED
        : authenticator.authenticate(name, key.getBytes(StandardCharsets.UTF_8));
  }

  private static boolean isEmpty(String text) {
    return text == null || text.isEmpty();
  }

  private FailedLoginException heldBack(long waitMillis) {
    return quiet(
        "too many keys from this address were not valid; retry after "
            + waitMillis
            + " ms: "
            + connection);
  }

  /**
   * Hazelcast logs it: without a stack trace, which would say nothing, and without a name or key.
   */
  private FailedLoginException refusal() {
    return quiet("no such tenant and access key: " + connection);
  }

  private static FailedLoginException quiet(String message) {
    FailedLoginException refusal = new FailedLoginException(message);
    refusal.setStackTrace(new StackTraceElement[0]);
    return refusal;
  }
}
