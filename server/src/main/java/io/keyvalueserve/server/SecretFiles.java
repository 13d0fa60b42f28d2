package io.keyvalueserve.server;

import io.keyvalueserve.journal.FileTrouble;
import io.keyvalueserve.tenancy.OperatorKey;
import io.keyvalueserve.tenancy.ScrapeKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.function.Supplier;

/** Files that hold a secret: made with mode 0600 from the start, and printed by nothing. */
final class SecretFiles {
  private static final String CLUSTER_SECRET = "cluster-secret-file";
  private static final int SECRET_BYTES = 32;
  private static final int LEAST_SECRET_CHARACTERS = 16;

  private SecretFiles() {}

  /** The operator's key in a file; a new one if there is no file. */
  static String operatorKey(Path file) {
    return readOrMake("operator-key-file", file, OperatorKey::mint);
  }

  /** The key that reads metrics alone, in a file; a new one if there is no file. */
  static String scrapeKey(Path file) {
    return readOrMake("scrape key", file, ScrapeKey::mint);
  }

  /** The cluster secret in a file that has to be there. */
  static byte[] clusterSecret(Path file) {
    String text = read(CLUSTER_SECRET, file);
    if (text.length() < LEAST_SECRET_CHARACTERS) {
      throw new StartException(
          "cluster secret in "
              + file
              + " is too short: use at least "
              + LEAST_SECRET_CHARACTERS
              + " characters",
          null);
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The secret that signs what is sent to a webhook, in a file that has to be there. */
  static String webhookSecret(Path file) {
    return read("webhook.secret-file", file);
  }

  /** The secret of the key to S3-compatible stores, in a file that has to be there. */
  static String snapshotSecret(Path file) {
    return read("snapshots.secret-file", file);
  }

  /** The cluster secret in a file; a new one if there is no file. */
  static byte[] ownClusterSecret(Path file) {
    return readOrMake(CLUSTER_SECRET, file, () -> HexFormat.of().formatHex(random()))
        .getBytes(StandardCharsets.UTF_8);
  }

  /** A secret that nobody else can know. */
  static byte[] random() {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    return secret;
  }

  private static String readOrMake(String setting, Path file, Supplier<String> make) {
    if (!Files.exists(file)) {
      String secret = make.get();
      try {
        write(file, secret);
        return secret;
      } catch (FileAlreadyExistsException e) {
        return read(setting, file); // another process was faster
      } catch (IOException e) {
        throw unusable(setting, file, "written", e);
      }
    }
    return read(setting, file);
  }

  private static String read(String setting, Path file) {
    try {
      String text = Files.readString(file).strip();
      if (text.isEmpty()) {
        throw new StartException(
            setting + ": " + file + " is empty, and should hold a secret; remove the file", null);
      }
      return text;
    } catch (IOException e) {
      throw unusable(setting, file, "read", e);
    }
  }

  private static StartException unusable(String setting, Path file, String use, IOException cause) {
    return new StartException(
        setting
            + ": "
            + file
            + " cannot be "
            + use
            + ": "
            + FileTrouble.of(cause)
            + "; mend that, or name another file with "
            + setting,
        cause);
  }

  private static void write(Path file, String secret) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      Files.createDirectories(directory);
    }
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
      ByteBuffer buffer = ByteBuffer.wrap((secret + "\n").getBytes(StandardCharsets.UTF_8));
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException e) {
      Files.deleteIfExists(file); // an empty one would be in the way of the next start
      throw e;
    }
  }
}
