package io.keyvalueserve.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyvalueserve.cli.KvsCommand.Failure;
import io.keyvalueserve.journal.FileTrouble;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files with the key of a tenant's snapshots, as JSON, which only their owner may read. */
final class SnapshotKeyFile {
  private static final ObjectMapper JSON = new ObjectMapper();

  private SnapshotKeyFile() {}

  /** Refuses a file that exists. */
  static void requireNew(Path file) {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw isThere(file);
    }
  }

  private static Failure isThere(Path file) {
    return new Failure(file + " is there already: name another file");
  }

  /** Writes a key to a new file. */
  static void write(Path file, JsonNode key) {
    boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] attributes =
        posix
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
            }
            : new FileAttribute<?>[0];
    try (FileChannel channel =
        FileChannel.open(
            file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes)) {
      ByteBuffer bytes =
          ByteBuffer.wrap((key.toPrettyString() + "\n").getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        int _ = channel.write(bytes);
      }
    } catch (FileAlreadyExistsException e) {
      throw isThere(file);
    } catch (IOException e) {
      throw new Failure(file + " cannot be written: " + FileTrouble.of(e));
    }
  }

  /** Reads a key. */
  static JsonNode read(Path file) {
    try {
      JsonNode key = JSON.readTree(Files.readString(file));
      if (key == null || !key.isObject()) {
        throw noKey(file);
      }
      return key;
    } catch (JsonProcessingException e) {
      throw noKey(file);
    } catch (IOException e) {
      throw new Failure("the key cannot be read from " + file + ": " + FileTrouble.of(e));
    }
  }

  private static Failure noKey(Path file) {
    return new Failure(
        file + " has no key of snapshots: give the file that 'kvs snapshot key' made");
  }
}
