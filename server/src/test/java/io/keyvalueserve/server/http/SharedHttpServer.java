package io.keyvalueserve.server.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test the one {@link HttpServerUnderTest}, with data on the disk, that all test classes of
 * this JVM share. It ends with the launcher's session.
 *
 * <p>Who uses it makes tenants of its own, with names that no other test class uses, and changes
 * nothing that others see.
 */
final class SharedHttpServer implements ParameterResolver {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(SharedHttpServer.class);

  private record Running(Path directory, HttpServerUnderTest server) implements AutoCloseable {
    static Running start() {
      try {
        Path directory = Files.createTempDirectory("kvs-http-");
        String data = directory.resolve("data").toString();
        return new Running(directory, HttpServerUnderTest.start(Map.of("data", data)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      server.close();
      try (Stream<Path> left = Files.walk(directory)) {
        for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext extension) {
    return parameter.getParameter().getType() == HttpServerUnderTest.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext extension) {
    return extension
        .getStore(ExtensionContext.StoreScope.LAUNCHER_SESSION, NAMESPACE)
        .computeIfAbsent(Running.class, type -> Running.start(), Running.class)
        .server();
  }
}
