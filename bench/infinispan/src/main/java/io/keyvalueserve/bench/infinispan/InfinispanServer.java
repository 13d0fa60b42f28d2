package io.keyvalueserve.bench.infinispan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.globalstate.ConfigurationStorage;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.server.resp.RespServer;
import org.infinispan.server.resp.configuration.RespServerConfigurationBuilder;

/**
 * Infinispan's door for Redis clients as it comes, before the local cache on the Java heap that it
 * makes for itself, of keys and values as the bytes that arrived. It asks for no login. Arguments:
 * its port, of loopback, and a folder where it notes which caches it has; entries are in memory
 * only. A file {@code ready} in that folder tells that the cache is there: the door opens before,
 * and who comes too early is never answered. Runs until its process is ended.
 */
final class InfinispanServer {
  private InfinispanServer() {}

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[1]);
    GlobalConfigurationBuilder alone = new GlobalConfigurationBuilder().nonClusteredDefault();
    alone
        .globalState()
        .enable()
        .persistentLocation(folder.toString())
        .configurationStorage(ConfigurationStorage.OVERLAY); // what the door's own cache asks for
    RespServer door = new RespServer();
    door.start(
        new RespServerConfigurationBuilder()
            .host("127.0.0.1")
            .port(Integer.parseInt(arguments[0]))
            .build(),
        new DefaultCacheManager(alone.build()));
    door.postStart();
    door.initializeDefaultCache().toCompletableFuture().join();
    Files.createFile(folder.resolve("ready"));
  }
}
