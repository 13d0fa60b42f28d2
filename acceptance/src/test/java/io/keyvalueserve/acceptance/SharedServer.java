package io.keyvalueserve.acceptance;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test the one {@link KvsProcess} that all test classes share: a start costs seconds.
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
        .getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent(KvsProcess.class, type -> KvsProcess.start("shared"), KvsProcess.class);
  }
}
