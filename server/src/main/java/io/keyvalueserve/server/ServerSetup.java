package io.keyvalueserve.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import io.keyvalueserve.grid.GridConfig;
import io.keyvalueserve.server.config.ServerConfig;
import io.keyvalueserve.server.config.SnapshotSettings;
import io.keyvalueserve.snapshots.Credentials;
import io.keyvalueserve.snapshots.SnapshotException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts of a start that servers and witnesses have in common. */
final class ServerSetup {
  private ServerSetup() {}

  /** Returns how the grid's member is set up. */
  static GridConfig gridConfig(ServerConfig config) {
    GridConfig grid =
        new GridConfig(
                config.clusterName(),
                config.memberName(),
                config.bind(),
                config.clientPort(),
                config.memberPort(),
                config.join(),
                clusterSecret(config),
                config.backupCount(),
                config.partitionCount(),
                config.memory().heap(),
                config.extensions(),
                config.fastPath(),
                config.restart(),
                config.reclaim(),
                config.clientLimits())
            .withQuorum(config.quorum())
            .withRole(config.role());
    return config.clientConnections() == 0
        ? grid
        : grid.withAtMostClientConnections(config.clientConnections());
  }

  private static byte[] clusterSecret(ServerConfig config) {
    if (config.clusterSecretFile() != null) {
      return SecretFiles.clusterSecret(config.clusterSecretFile());
    }
    return config.data() == null
        ? SecretFiles.random()
        : SecretFiles.ownClusterSecret(config.data().resolve("cluster.secret"));
  }

  /** Returns the key to S3-compatible stores; null if there is none. */
  static @Nullable Credentials credentials(SnapshotSettings settings) {
    String accessKey = settings.accessKey();
    Path secretFile = settings.secretFile();
    if (accessKey == null || secretFile == null) {
      return null;
    }
    try {
      return new Credentials(accessKey, SecretFiles.snapshotSecret(secretFile));
    } catch (SnapshotException e) {
      throw new StartException("snapshots: " + e.getMessage(), e);
    }
  }

  /** Returns the file that holds the operator's key; null if none is needed. */
  static @Nullable Path operatorKeyFile(ServerConfig config) {
    if (config.operatorKeyFile() != null) {
      return config.operatorKeyFile();
    }
    if (config.data() != null) {
      return config.data().resolve("operator.key");
    }
    return config.dev() ? null : defaultOperatorKeyFile();
  }

  /** Returns the place of the key that reads metrics alone: beside the operator's. */
  static Path scrapeKeyFile(Path operatorKeyFile) {
    return operatorKeyFile.resolveSibling("scrape.key");
  }

  /** Returns the default place of the operator's key: {@code ~/.kvs/operator.key}. */
  static Path defaultOperatorKeyFile() {
    return Path.of(System.getProperty("user.home"), ".kvs", "operator.key");
  }

  /**
   * Makes sure that nothing listens on a port.
   *
   * @throws StartException naming the setting if something does
   */
  static void requireFree(String bind, int port, String setting) {
    if (port == 0) {
      return;
    }
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getByName(bind), port));
    } catch (IOException e) {
      throw new StartException(
          setting
              + " "
              + port
              + " on "
              + bind
              + " cannot be used: "
              + e.getMessage()
              + "; stop what uses it or choose another with --"
              + setting,
          e);
    }
  }

  /** Sets what is logged. */
  static void setLogLevel(String level) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.toLevel(level));
      if (level.equals("debug") || level.equals("trace")) {
        context.getLogger("com.hazelcast").setLevel(Level.INFO);
      }
    }
  }
}
