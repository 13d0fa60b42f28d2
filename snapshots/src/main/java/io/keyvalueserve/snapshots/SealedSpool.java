package io.keyvalueserve.snapshots;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Set;
import java.util.UUID;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A local scratch file for data that must not lie in clear text on the disk. Frames of bytes are
 * appended, then read in the same order, as often as wanted.
 *
 * <p>The file is a sequence of blocks of 64 KiB, each encrypted by AES-256-GCM with a random key
 * that only this object knows. The file is deleted on {@link #close}. The file of a process that
 * died cannot be read by anyone; {@link #sweep} removes it. Not thread-safe.
 */
public final class SealedSpool implements AutoCloseable {
  private static final int BLOCK = 64 << 10;
  private static final int TAG_BYTES = 16;
  private static final int NONCE_BYTES = 12;
  private static final int LENGTH_BYTES = 4;
  private static final String START = "spool-";
  private static final String END = ".sealed";

  private final Path path;
  private final FileChannel file;
  private final byte[] key = new byte[32];
  private final Cipher cipher;
  private final byte[] plain = new byte[BLOCK];
  private final byte[] sealed = new byte[BLOCK + TAG_BYTES];
  private int inPlain;
  private long blocks;
  private long bytes;
  private long frames;
  private boolean reading;
  private boolean closed;

  private SealedSpool(Path path, FileChannel file) {
    this.path = path;
    this.file = file;
    new SecureRandom().nextBytes(key);
    try {
      cipher = Cipher.getInstance("AES/GCM/NoPadding");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-256-GCM", e);
    }
  }

  /** Creates an empty spool in a directory that exists. */
  public static SealedSpool create(Path directory) {
    Path path = directory.resolve(START + UUID.randomUUID() + END);
    try {
      FileChannel file =
          FileChannel.open(
              path,
              Set.of(
                  StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      try {
        FileLock _ = file.lock(); // tells a sweep that the file is in use
        return new SealedSpool(path, file);
      } catch (IOException | RuntimeException e) {
        file.close();
        boolean _ = Files.deleteIfExists(path);
        throw e;
      }
    } catch (IOException e) {
      throw DirectoryRepository.failure("a scratch file", e);
    }
  }

  /**
   * Removes the spools of processes that died; leaves those in use. Does nothing if there is no
   * such directory.
   *
   * @return how many were removed
   */
  public static int sweep(Path directory) {
    int removed = 0;
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory, START + "*" + END)) {
      for (Path path : paths) {
        removed += isInUse(path) || !Files.deleteIfExists(path) ? 0 : 1;
      }
      return removed;
    } catch (NoSuchFileException | NotDirectoryException e) {
      return removed;
    } catch (IOException e) {
      throw DirectoryRepository.failure("a scratch file", e);
    }
  }

  private static boolean isInUse(Path path) throws IOException {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE);
        FileLock lock = file.tryLock()) {
      return lock == null;
    } catch (OverlappingFileLockException e) {
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * Appends a frame, which may be empty.
   *
   * @throws IllegalStateException if the spool was read, or is closed
   */
  public void append(byte[] frame) {
    if (closed || reading) {
      throw new IllegalStateException("the spool is " + (closed ? "closed" : "being read"));
    }
    byte[] length = new byte[LENGTH_BYTES];
    ByteBuffer _ = ByteBuffer.wrap(length).putInt(frame.length);
    add(length);
    add(frame);
    frames++;
  }

  private void add(byte[] source) {
    int from = 0;
    while (from < source.length) {
      if (inPlain == BLOCK) {
        writeBlock();
      }
      int part = Math.min(source.length - from, BLOCK - inPlain);
      System.arraycopy(source, from, plain, inPlain, part);
      inPlain += part;
      from += part;
    }
    bytes += source.length;
  }

  private void writeBlock() {
    try {
      init(Cipher.ENCRYPT_MODE, blocks);
      int length = cipher.doFinal(plain, 0, inPlain, sealed, 0);
      ByteBuffer out = ByteBuffer.wrap(sealed, 0, length);
      long at = blocks * sealed.length;
      while (out.hasRemaining()) {
        at += file.write(out, at);
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has AES-256-GCM", e);
    } catch (IOException e) {
      throw DirectoryRepository.failure("a scratch file", e);
    }
    blocks++;
    inPlain = 0;
  }

  /** Each block is encrypted once, so its number is a nonce that never comes again. */
  private void init(int mode, long block) throws GeneralSecurityException {
    byte[] nonce = new byte[NONCE_BYTES];
    ByteBuffer _ = ByteBuffer.wrap(nonce).putLong(block);
    cipher.init(
        mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
  }

  /** Returns how many frames were appended. */
  public long frames() {
    return frames;
  }

  /** Returns the bytes that were appended, with the lengths of the frames. */
  public long bytes() {
    return bytes;
  }

  /**
   * Begins to read at the first frame. Nothing can be appended any more. Only one reader may be
   * used at a time.
   */
  public Reader reader() {
    if (closed) {
      throw new IllegalStateException("the spool is closed");
    }
    if (!reading && inPlain > 0) {
      writeBlock();
    }
    reading = true;
    return new Reader();
  }

  /** Deletes the file and forgets the key. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    Arrays.fill(key, (byte) 0);
    Arrays.fill(plain, (byte) 0);
    try (file) {
      boolean _ = Files.deleteIfExists(path);
    } catch (IOException e) {
      throw DirectoryRepository.failure("a scratch file", e);
    }
  }

  /** A reader of all frames, in their order. */
  public final class Reader {
    private long block;
    private int at;
    private int length;
    private long left = frames;

    private Reader() {}

    /**
     * Returns the next frame; null after the last one.
     *
     * @throws SnapshotException of kind {@code DAMAGED} if the file was changed
     */
    public byte @Nullable [] next() {
      if (closed) {
        throw new IllegalStateException("the spool is closed");
      }
      if (left == 0) {
        return null;
      }
      left--;
      return take(ByteBuffer.wrap(take(LENGTH_BYTES)).getInt());
    }

    private byte[] take(int count) {
      byte[] taken = new byte[count];
      int to = 0;
      while (to < count) {
        if (at == length) {
          readBlock();
        }
        int part = Math.min(count - to, length - at);
        System.arraycopy(plain, at, taken, to, part);
        at += part;
        to += part;
      }
      return taken;
    }

    private void readBlock() {
      try {
        ByteBuffer in = ByteBuffer.wrap(sealed);
        long from = block * sealed.length;
        while (in.hasRemaining()) {
          int read = file.read(in, from + in.position());
          if (read < 0) {
            break;
          }
        }
        init(Cipher.DECRYPT_MODE, block);
        length = cipher.doFinal(sealed, 0, in.position(), plain, 0);
        at = 0;
        block++;
      } catch (AEADBadTagException e) {
        throw damaged();
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("every JDK has AES-256-GCM", e);
      } catch (IOException e) {
        throw DirectoryRepository.failure("a scratch file", e);
      }
      if (length == 0) {
        throw damaged();
      }
    }

    private SnapshotException damaged() {
      return SnapshotException.damaged(
          "a scratch file was changed by something else: see that nothing writes to its directory");
    }
  }
}
