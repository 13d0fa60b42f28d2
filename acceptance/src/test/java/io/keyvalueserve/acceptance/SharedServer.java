package io.keyvalueserve.acceptance;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test the one {@link KvsProcess} that all test classes of this JVM share: a start costs
 * seconds. It ends with the launcher's session: all else begins anew for each class where several
 * JVMs at once are given one after the other.
 *
 * <p>Who uses it makes tenants of its own, with names that no other test class uses, and neither
 * ends nor kills the process.
 */
final class SharedServer implements ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(SharedServer.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext extension) {
    return parameter.getParameter().getType() == KvsProcess.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext extension) {
    return extension
        .getStore(ExtensionContext.StoreScope.LAUNCHER_SESSION, NAMESPACE)
        .computeIfAbsent(KvsProcess.class, type -> KvsProcess.start("shared"), KvsProcess.class);
  }
}
