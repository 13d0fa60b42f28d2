package io.keyvalueserve.hazelcast;

import com.hazelcast.config.PermissionConfig;
import com.hazelcast.internal.nio.Connection;
import com.hazelcast.security.Credentials;
import com.hazelcast.security.ICredentialsFactory;
import com.hazelcast.security.SecureCallable;
import com.hazelcast.security.SecurityContext;
import com.hazelcast.sql.impl.security.SqlSecurityContext;
import io.keyvalueserve.gates.policy.TenantPolicy;
import java.net.InetAddress;
import java.security.Permission;
import java.util.Set;
import java.util.concurrent.Callable;
import javax.security.auth.Subject;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;
import org.jspecify.annotations.Nullable;

/**
 * Answers what Hazelcast's client tasks ask about security: who a client is. {@link ClientDoor}
 * decided what the client may do before a task exists, so the permission checks of the tasks pass.
 * Everything that the door never lets through throws here, as a second lock.
 */
final class DoorSecurity implements SecurityContext {
  private final TenantPolicy policy;
  private final TenantsHold hold;

  DoorSecurity(TenantPolicy policy, TenantsHold hold) {
    this.hold = hold;
    this.policy = policy;
  }

  @Override
  public LoginContext createClientLoginContext(
      String clusterName, Credentials credentials, Connection connection) throws LoginException {
    return new TenantLogin(credentials, connection, policy, hold);
  }

  @Override
  public void checkPermission(@Nullable Subject subject, @Nullable Permission permission) {
    if (subject == null) {
      throw new MessageRefusedException("the client has not authenticated");
    }
  }

  @Override
  public void interceptBefore(
      Credentials credentials,
      String serviceName,
      String objectName,
      String methodName,
      Object[] parameters) {}

  @Override
  public void interceptAfter(
      Credentials credentials, String serviceName, String objectName, String methodName) {}

  @Override
  public LoginContext createMemberLoginContext(
      String clusterName, Credentials credentials, Connection connection) throws LoginException {
    throw new LoginException("members authenticate by the cluster secret, before they speak");
  }

  @Override
  public Configuration createLoginConfigurationForRealm(String realmName) {
    throw closed("security realms");
  }

  @Override
  public LoginContext createLoginContext(
      Configuration configuration,
      String clusterName,
      Credentials credentials,
      InetAddress remoteAddress)
      throws LoginException {
    throw new LoginException("security realms are not open to clients");
  }

  @Override
  public ICredentialsFactory getCredentialsFactory() {
    throw closed("member credentials");
  }

  @Override
  public <V> SecureCallable<V> createSecureCallable(Subject subject, Callable<V> callable) {
    throw closed("executors");
  }

  @Override
  public <V> SecureCallable<?> createSecureCallable(Subject subject, Runnable runnable) {
    throw closed("executors");
  }

  @Override
  public SqlSecurityContext createSqlContext(Subject subject) {
    throw closed("SQL");
  }

  @Override
  public void refreshPermissions(Set<PermissionConfig> permissionConfigs) {
    throw closed("Hazelcast permissions");
  }

  @Override
  public void destroy() {}

  private static MessageRefusedException closed(String what) {
    return new MessageRefusedException(what + " are not open to clients");
  }
}
