package io.keyvalueserve.tenancy.audit;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One file of a trail, {@code audit-<first sequence>.jsonl}, as it is read. Sequences in it rise
 * and times do not fall, so its first and last lines say of what time it is.
 *
 * <p>The writer says how long it is and when it is complete; any threads read it.
 */
final class Segment implements Trail.Part {
  private static final Pattern NAME = Pattern.compile("audit-([0-9]{20})\\.jsonl");

  private final Path path;
  private final long firstSequence;
  private volatile long bytes;
  private volatile boolean complete;
  private volatile @Nullable Times times; // read once, when the segment is complete

  /** The first and the last event's time. */
  private record Times(Instant first, Instant last) {}

  Segment(Path path, long firstSequence, long bytes, boolean complete) {
    this.path = path;
    this.firstSequence = firstSequence;
    this.bytes = bytes;
    this.complete = complete;
  }

  /** The name of a segment that begins with a sequence; names sort as sequences do. */
  static String name(long firstSequence) {
    return String.format(Locale.ROOT, "audit-%020d.jsonl", firstSequence);
  }

  /** The sequence with which a file of this name begins; empty if it is no segment. */
  static OptionalLong firstSequence(String name) {
    Matcher matcher = NAME.matcher(name);
    try {
      return matcher.matches()
          ? OptionalLong.of(Long.parseLong(matcher.group(1)))
          : OptionalLong.empty();
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  @Override
  public long firstSequence() {
    return firstSequence;
  }

  Path path() {
    return path;
  }

  /** Bytes that readers may see. */
  long bytes() {
    return bytes;
  }

  /** Shows readers more, or less. */
  void bytes(long now) {
    bytes = now;
  }

  /** Says that nothing will be appended any more. */
  void complete() {
    complete = true;
  }

  @Override
  public boolean mayMatch(AuditQuery query) {
    if ((query.from() == null && query.to() == null) || !complete) {
      return true;
    }
    return times().map(span -> query.mayMatch(span.first(), span.last())).orElse(true);
  }

  /**
   * Returns the time when a complete segment was last written to: by its last line, else by the
   * file system. If the file is gone, this is long ago.
   */
  Instant lastTime() throws IOException {
    Optional<Times> span = times();
    try {
      return span.isPresent() ? span.get().last() : Files.getLastModifiedTime(path).toInstant();
    } catch (NoSuchFileException e) {
      return Instant.MIN;
    }
  }

  @Override
  public void read(EventSink sink) throws IOException {
    try (LineReader lines = lines()) {
      while (lines.next()) {
        try {
          if (!sink.event(lines.event())) {
            return;
          }
        } catch (DamagedLineException e) {
          sink.damaged(new DamagedLine(name(firstSequence), lines.number(), e.reason()));
        }
      }
    } catch (NoSuchFileException e) {
      // it was too old and went while this reader came to it
    }
  }

  /** The lines that readers may see. */
  LineReader lines() throws IOException {
    return new LineReader(Files.newInputStream(path), bytes);
  }

  private Optional<Times> times() {
    Times known = times;
    if (known == null) {
      try {
        known = new Times(firstEvent().time(), lastEvent().time());
        times = known;
      } catch (IOException | DamagedLineException e) {
        return Optional.empty();
      }
    }
    return Optional.of(known);
  }

  private AuditEvent firstEvent() throws IOException, DamagedLineException {
    try (LineReader lines = lines()) {
      lines.next();
      return lines.event();
    }
  }

  private AuditEvent lastEvent() throws IOException, DamagedLineException {
    long end = bytes;
    byte[] tail = new byte[(int) Math.min(end, AuditCodec.MOST_LINE_BYTES + 1L)];
    try (SeekableByteChannel channel = Files.newByteChannel(path)) {
      channel.position(end - tail.length);
      Channels.newInputStream(channel).readNBytes(tail, 0, tail.length);
    }
    int begin = Math.max(tail.length - 1, 0);
    while (begin > 0 && tail[begin - 1] != '\n') {
      begin--;
    }
    return AuditCodec.decode(Arrays.copyOfRange(tail, begin, tail.length));
  }
}
