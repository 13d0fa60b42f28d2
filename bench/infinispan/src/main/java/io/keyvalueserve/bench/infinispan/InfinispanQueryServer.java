package io.keyvalueserve.bench.infinispan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.infinispan.Cache;
import org.infinispan.commons.dataconversion.MediaType;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.cache.IndexStorage;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.protostream.GeneratedSchema;
import org.infinispan.server.hotrod.HotRodServer;
import org.infinispan.server.hotrod.configuration.HotRodServerConfigurationBuilder;

/**
 * Infinispan's door for Hot Rod clients, before a local cache of people on the Java heap, with an
 * index on the heap too. It asks for no login. Arguments: its port, of loopback, and a folder,
 * where a file {@code ready} tells that it serves. Runs until its process is ended.
 */
final class InfinispanQueryServer {
  private static final String SCHEMAS = "___protobuf_metadata";

  private InfinispanQueryServer() {}

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[1]);
    DefaultCacheManager manager =
        new DefaultCacheManager(new GlobalConfigurationBuilder().nonClusteredDefault().build());
    HotRodServer door = new HotRodServer();
    door.start(
        new HotRodServerConfigurationBuilder()
            .host("127.0.0.1")
            .port(Integer.parseInt(arguments[0]))
            .build(),
        manager);
    door.postStart();
    GeneratedSchema schema = new PeopleSchemaImpl();
    Cache<String, String> schemas = manager.getCache(SCHEMAS);
    schemas.put(schema.getProtoFileName(), schema.getProtoFile());
    ConfigurationBuilder people = new ConfigurationBuilder();
    people.encoding().mediaType(MediaType.APPLICATION_PROTOSTREAM_TYPE);
    people
        .indexing()
        .enable()
        .storage(IndexStorage.LOCAL_HEAP)
        .addIndexedEntity(PeopleSchema.PERSON);
    manager.createCache(InfinispanPeople.CACHE, people.build());
    Files.createDirectories(folder);
    Files.createFile(folder.resolve("ready"));
  }
}
