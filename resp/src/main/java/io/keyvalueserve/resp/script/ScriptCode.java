package io.keyvalueserve.resp.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyvalueserve.lua.Lua;
import io.keyvalueserve.lua.LuaSyntaxError;
import io.keyvalueserve.lua.Script;
import io.keyvalueserve.resp.command.CommandException;
import io.keyvalueserve.resp.protocol.Reply;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A compiled script. Thread-safe.
 *
 * <p>The first line of a source may be {@code #!lua flags=no-writes,allow-oom}.
 */
final class ScriptCode {
  /** The flags that a script may declare, by their names in Redis. */
  enum Flag {
    /** The script does not write. */
    NO_WRITES,
    /** Accepted. Each write is refused by itself if memory is short. */
    ALLOW_OOM,
    /** Accepted, without a meaning here. */
    ALLOW_STALE,
    /** Accepted, without a meaning here. */
    NO_CLUSTER,
    /** Accepted: keys of a script may be anywhere. */
    ALLOW_CROSS_SLOT_KEYS;

    private static @Nullable Flag of(String text) {
      for (Flag flag : values()) {
        if (flag.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(text)) {
          return flag;
        }
      }
      return null;
    }
  }

  /** The characters of a digest. */
  static final int DIGEST_LENGTH = 40;

  private static final String CHUNK = "@user_script";
  private static final int LONG_RUNS = 31;
  private static final int OVERHEAD_BYTES = 256;
  private static final ThreadLocal<MessageDigest> SHA1 = ThreadLocal.withInitial(ScriptCode::sha1);

  private final String digest;
  private final byte[] source;
  private final Script script;
  private final @Nullable Set<Flag> flags;

  /** When it was used last, in nanoseconds since any moment. About, as threads do not agree. */
  private long usedNanos;

  /**
   * How many of the next runs are taken for long ones. About, as threads do not agree. A script is
   * tried on an event loop again after them, as it may only have been slow.
   */
  private int longRuns;

  private ScriptCode(String digest, byte[] source, Script script, @Nullable Set<Flag> flags) {
    this.digest = digest;
    this.source = source;
    this.script = script;
    this.flags = flags;
  }

  private static MessageDigest sha1() {
    try {
      return MessageDigest.getInstance("SHA-1");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the digest by which a source is called: SHA-1 in lower-case hexadecimal digits. */
  static String digestOf(byte[] source) {
    return HexFormat.of().formatHex(SHA1.get().digest(source));
  }

  /**
   * Compiles a source.
   *
   * @throws CommandException if it is not Lua, or its first line is wrong
   */
  static ScriptCode compile(byte[] source, String digest) {
    Set<Flag> flags = null;
    byte[] body = source;
    if (source.length >= 2 && source[0] == '#' && source[1] == '!') {
      int end = indexOfLineEnd(source);
      flags = flags(new String(source, 0, end, ISO_8859_1));
      body = Arrays.copyOfRange(source, end, source.length);
    }
    try {
      return new ScriptCode(digest, source, Lua.compile(body, CHUNK), flags);
    } catch (LuaSyntaxError e) {
      throw new CommandException(
          Reply.error("ERR Error compiling script (new function): " + e.getMessage()));
    }
  }

  private static int indexOfLineEnd(byte[] source) {
    for (int i = 0; i < source.length; i++) {
      if (source[i] == '\n') {
        return i;
      }
    }
    throw refused("Invalid script shebang");
  }

  private static Set<Flag> flags(String line) {
    String[] parts = line.strip().split("\\s+", -1);
    if (!parts[0].equals("#!lua")) {
      throw refused("Unexpected engine in script shebang: " + parts[0]);
    }
    Set<Flag> flags = EnumSet.noneOf(Flag.class);
    for (int i = 1; i < parts.length; i++) {
      if (!parts[i].startsWith("flags=")) {
        throw refused("Unknown lua shebang option: " + parts[i]);
      }
      String list = parts[i].substring("flags=".length());
      if (list.isEmpty()) {
        continue;
      }
      for (String name : list.split(",", -1)) {
        Flag flag = Flag.of(name);
        if (flag == null) {
          throw refused("Unexpected flag in script shebang: " + name);
        }
        flags.add(flag);
      }
    }
    return flags;
  }

  private static CommandException refused(String message) {
    return new CommandException(new Reply.ErrorLine(("ERR " + message).getBytes(ISO_8859_1)));
  }

  String digest() {
    return digest;
  }

  byte[] source() {
    return source;
  }

  Script script() {
    return script;
  }

  /** Returns whether its first line declares flags, if only none. */
  boolean declaresFlags() {
    return flags != null;
  }

  boolean has(Flag flag) {
    return flags != null && flags.contains(flag);
  }

  /** Returns about how many bytes of memory it takes. */
  long bytes() {
    return OVERHEAD_BYTES + 2L * DIGEST_LENGTH + source.length + script.codeBytes();
  }

  /** Notes that a run took longer than an event loop has time for. */
  void wasLong() {
    longRuns = LONG_RUNS;
  }

  /** Returns whether the next run is likely to be a long one. */
  boolean isLong() {
    int left = longRuns;
    if (left == 0) {
      return false;
    }
    longRuns = left - 1;
    return true;
  }

  void used(long nanos) {
    usedNanos = nanos;
  }

  long usedNanos() {
    return usedNanos;
  }

  @Override
  public String toString() {
    return digest + " " + new String(source, UTF_8);
  }
}
