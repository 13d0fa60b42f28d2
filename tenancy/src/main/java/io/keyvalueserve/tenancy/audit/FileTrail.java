package io.keyvalueserve.tenancy.audit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A trail in files. A new segment begins when the last one is full, spans a tenth of the time for
 * which events are kept, or would see time fall; and after an error that leaves it in doubt.
 *
 * <pre>
 *   after a failed        what is done before the next event
 *   write                 the file is cut where its last good line ends; that failing, it fails too
 *   force                 a new segment begins: the system may forget what it could not write
 *   opening of a file     it is tried again
 * </pre>
 */
final class FileTrail implements Trail {
  private static final int MOST_BUFFERED_BYTES = 256 << 10;

  private final Path directory;
  private final AuditConfig config;
  private final SegmentFile.Opener opener;
  private final AuditLock lock;
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();
  private final Duration mostSpan;

  private volatile List<Segment> segments;
  private volatile long nextSequence;
  private volatile Instant lastTime;

  private @Nullable SegmentFile file; // of the last segment; null if a new one is to begin
  private boolean torn; // the file may hold a part of a line behind what its segment shows
  private @Nullable Instant firstTime; // in the last segment
  private long buffered; // the last sequence in the buffer

  private FileTrail(
      Path directory,
      AuditConfig config,
      SegmentFile.Opener opener,
      AuditLock lock,
      List<Segment> segments,
      Ending ending) {
    this.directory = directory;
    this.config = config;
    this.opener = opener;
    this.lock = lock;
    this.segments = List.copyOf(segments);
    this.nextSequence = ending.nextSequence();
    this.firstTime = ending.firstTime();
    this.lastTime = ending.lastTime() == null ? Instant.MIN : ending.lastTime();
    this.mostSpan = config.retainedAge().dividedBy(10);
  }

  /** A trail, and the bytes of a torn line that were cut off at its end. */
  record Opened(FileTrail trail, String fileName, long cutBytes) {}

  /**
   * The end of the last segment.
   *
   * @param wholeBytes bytes of its lines that have an end
   */
  private record Ending(
      long nextSequence,
      @Nullable Instant firstTime,
      @Nullable Instant lastTime,
      long wholeBytes) {}

  /**
   * Opens the trail of a directory, which is made if it is not there, and cuts off a torn line.
   *
   * @throws AuditException if another writes to it
   */
  static Opened open(Path directory, AuditConfig config, SegmentFile.Opener opener)
      throws IOException {
    Files.createDirectories(directory);
    AuditLock lock = AuditLock.take(directory);
    try {
      List<Segment> segments = list(directory);
      if (segments.isEmpty()) {
        Ending none = new Ending(1, null, null, 0);
        return new Opened(new FileTrail(directory, config, opener, lock, segments, none), "", 0);
      }
      Segment last = segments.getLast();
      Ending ending = endingOf(last);
      FileTrail trail = new FileTrail(directory, config, opener, lock, segments, ending);
      trail.file = opener.open(last.path());
      long cut = last.bytes() - ending.wholeBytes();
      if (cut > 0) {
        trail.file.truncate(ending.wholeBytes());
        last.bytes(ending.wholeBytes());
      }
      return new Opened(trail, Segment.name(last.firstSequence()), cut);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static List<Segment> list(Path directory) throws IOException {
    List<Segment> segments = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path path : files.sorted().toList()) {
        var first = Segment.firstSequence(path.getFileName().toString());
        if (first.isPresent()) {
          segments.add(new Segment(path, first.getAsLong(), Files.size(path), true));
        }
      }
    }
    if (!segments.isEmpty()) {
      Segment last = segments.removeLast();
      segments.add(new Segment(last.path(), last.firstSequence(), last.bytes(), false));
    }
    return segments;
  }

  /** A damaged line may have been an event: its sequence is not given out again. */
  private static Ending endingOf(Segment last) throws IOException {
    long next = last.firstSequence();
    long whole = 0;
    Instant firstTime = null;
    Instant lastTime = null;
    try (LineReader lines = last.lines()) {
      while (lines.next() && lines.isWhole()) {
        whole += lines.lineBytes();
        try {
          AuditEvent event = lines.event();
          next = Math.max(next, event.sequence()) + 1;
          lastTime = event.time();
          firstTime = firstTime == null ? lastTime : firstTime;
        } catch (DamagedLineException e) {
          next++;
        }
      }
    }
    return new Ending(next, firstTime, lastTime, whole);
  }

  @Override
  public long nextSequence() {
    return nextSequence;
  }

  @Override
  public Instant lastTime() {
    return lastTime;
  }

  @Override
  public List<Segment> parts() {
    return segments;
  }

  @Override
  public void append(List<AuditEvent> events) throws IOException {
    try {
      for (AuditEvent event : events) {
        byte[] line = AuditCodec.encode(event);
        if (buffer.size() + line.length > MOST_BUFFERED_BYTES || mustRoll(event, line)) {
          flush();
        }
        if (mustRoll(event, line)) {
          roll();
        }
        if (firstTime == null) {
          firstTime = event.time();
        }
        buffer.write(line);
        buffered = event.sequence();
        lastTime = event.time();
      }
      flush();
    } finally {
      buffer.reset();
      firstTime = file == null ? null : firstTime;
    }
  }

  private boolean mustRoll(AuditEvent event, byte[] line) {
    if (firstTime == null) {
      return false;
    }
    long before = file == null ? 0 : segments.getLast().bytes();
    return before + buffer.size() + line.length > config.segmentBytes()
        || event.time().isBefore(lastTime)
        || Duration.between(firstTime, event.time()).compareTo(mostSpan) > 0;
  }

  private void roll() throws IOException {
    force();
    closeFile();
  }

  private void flush() throws IOException {
    if (buffer.size() == 0) {
      return;
    }
    SegmentFile to = whole();
    Segment segment = segments.getLast();
    torn = true;
    to.append(ByteBuffer.wrap(buffer.toByteArray()));
    torn = false;
    segment.bytes(segment.bytes() + buffer.size());
    nextSequence = buffered + 1;
    buffer.reset();
  }

  /** The file to append to, without a part of a line at its end. */
  private SegmentFile whole() throws IOException {
    SegmentFile open = file;
    if (open == null) {
      return begin();
    }
    if (torn) {
      open.truncate(segments.getLast().bytes());
      torn = false;
    }
    return open;
  }

  private SegmentFile begin() throws IOException {
    Path path = directory.resolve(Segment.name(nextSequence));
    SegmentFile opened = opener.open(path);
    try {
      opened.truncate(0); // whatever an attempt before this one left: none of it counted
    } catch (IOException e) {
      opened.close();
      throw e;
    }
    List<Segment> all = new ArrayList<>(segments);
    all.removeIf(segment -> segment.firstSequence() == nextSequence);
    all.add(new Segment(path, nextSequence, 0, false));
    segments = List.copyOf(all);
    file = opened;
    torn = false;
    return opened;
  }

  @Override
  public void force() throws IOException {
    SegmentFile open = file;
    if (open == null) {
      return;
    }
    try {
      open.force();
    } catch (IOException e) {
      closeFile();
      throw e;
    }
  }

  /** A torn line that cannot be cut stays behind what readers see. */
  private void closeFile() {
    SegmentFile open = file;
    file = null;
    firstTime = null;
    if (!segments.isEmpty()) {
      segments.getLast().complete();
    }
    try {
      if (open != null) {
        open.close();
      }
    } catch (IOException e) {
      // all that counts was forced before, or is in doubt already
    }
  }

  @Override
  public void retain(Instant now) throws IOException {
    List<Segment> kept = new ArrayList<>(segments);
    long bytes = config.segmentBytes(); // the last one may grow so far
    for (Segment segment : kept) {
      bytes += segment.bytes();
    }
    if (!kept.isEmpty()) {
      bytes -= kept.getLast().bytes();
    }
    Instant oldest = now.minus(config.retainedAge());
    while (kept.size() > 1
        && (bytes > config.retainedBytes() || kept.getFirst().lastTime().isBefore(oldest))) {
      Segment gone = kept.getFirst();
      Files.deleteIfExists(gone.path());
      bytes -= gone.bytes();
      kept.removeFirst();
      segments = List.copyOf(kept);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      force();
      closeFile();
    } finally {
      lock.close();
    }
  }
}
