package io.keyvalueserve.tenancy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A member's own copy of the catalogue, in {@code catalogue.json} of its data directory.
 *
 * <p>The whole file is written anew with each change: to a temporary file, which is forced to the
 * disk, then renamed over the old one, then the directory is forced. So whatever moment the power
 * goes, one of the two is there, whole. A lock file keeps a second process away. The first line
 * holds the SHA-256 of what follows.
 *
 * <p>Thread-safe. Blocks on the disk.
 */
public final class CatalogueFile implements AutoCloseable {
  private static final String FILE = "catalogue.json";
  private static final String TEMPORARY = "catalogue.json.new";
  private static final String LOCK = "lock";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path directory;
  private final FileChannel lockChannel;

  private CatalogueFile(Path directory, FileChannel lockChannel) {
    this.directory = directory;
    this.lockChannel = lockChannel;
  }

  /**
   * What the file holds.
   *
   * @param tenants every record, tombstones included
   * @param settings small facts by name
   */
  public record Contents(List<Tenant> tenants, Map<String, String> settings) {
    public Contents {
      tenants = List.copyOf(tenants);
      settings = Map.copyOf(settings);
    }
  }

  /** The file cannot be used. The message names it and says the remedy. */
  public static final class UnusableException extends RuntimeException {
    UnusableException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Takes a data directory into use; it is made if it is not there.
   *
   * @throws UnusableException if another process uses it, or it cannot be written
   */
  public static CatalogueFile open(Path directory) {
    try {
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(directory);
        restrict(directory, "rwx------");
      }
      FileChannel channel =
          FileChannel.open(
              directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        channel.close();
        throw new UnusableException(
            "data directory "
                + directory
                + " is in use by another process; stop it or choose another directory with --data",
            null);
      }
      return new CatalogueFile(directory, channel);
    } catch (IOException e) {
      throw new UnusableException(
          "data directory " + directory + " cannot be used: " + e + "; check its permissions", e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) { // held by this very process
      return null;
    }
  }

  /**
   * Reads the file; no file is an empty catalogue.
   *
   * @throws UnusableException if it is damaged
   */
  public synchronized Contents load() {
    Path file = directory.resolve(FILE);
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException e) {
      return new Contents(List.of(), Map.of());
    } catch (IOException e) {
      throw damaged(file, "it cannot be read", e);
    }
    int end = text.indexOf('\n');
    String body = text.substring(end + 1);
    String expected = end < 0 ? "" : text.substring(0, end);
    String actual = Secrets.hash(body.getBytes(StandardCharsets.UTF_8));
    if (!expected.equals(actual)) {
      throw damaged(file, "its checksum is expected=" + expected + " actual=" + actual, null);
    }
    try {
      JsonNode root = JSON.readTree(body);
      List<Tenant> tenants = new ArrayList<>();
      for (JsonNode record : root.path("tenants")) {
        tenants.add(CatalogueCodec.fromJson(record));
      }
      Map<String, String> settings = new TreeMap<>();
      root.path("settings")
          .properties()
          .forEach(e -> settings.put(e.getKey(), e.getValue().asText()));
      return new Contents(tenants, settings);
    } catch (IOException | IllegalArgumentException e) {
      throw damaged(file, e.getMessage(), e);
    }
  }

  /**
   * Writes the file; when this returns, it is on the disk.
   *
   * @throws UncheckedIOException if it cannot be written; the file is as it was before
   */
  public synchronized void save(Collection<Tenant> tenants, Map<String, String> settings) {
    ObjectNode root = JSON.createObjectNode();
    ArrayNode records = root.putArray("tenants");
    tenants.forEach(tenant -> records.add(CatalogueCodec.toJson(tenant)));
    ObjectNode facts = root.putObject("settings");
    new TreeMap<>(settings).forEach(facts::put);
    String body = root.toPrettyString() + "\n";
    String text = Secrets.hash(body.getBytes(StandardCharsets.UTF_8)) + "\n" + body;
    try {
      writeDurably(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the catalogue cannot be written to " + directory.resolve(FILE) + ": " + e, e);
    }
  }

  private void writeDurably(byte[] bytes) throws IOException {
    Path temporary = directory.resolve(TEMPORARY);
    Files.deleteIfExists(temporary);
    try (FileChannel channel =
        FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      restrict(temporary, "rw-------");
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    }
    Files.move(
        temporary,
        directory.resolve(FILE),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Gives the directory free for others. Closing twice does nothing. */
  @Override
  public synchronized void close() {
    try {
      lockChannel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void restrict(Path path, String permissions) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    if (view != null) {
      view.setPermissions(PosixFilePermissions.fromString(permissions));
    }
  }

  private static UnusableException damaged(
      Path file, @Nullable String what, @Nullable Throwable cause) {
    return new UnusableException(
        "the catalogue "
            + file
            + " is damaged: "
            + what
            + "; restore it from a copy or another member",
        cause);
  }
}
