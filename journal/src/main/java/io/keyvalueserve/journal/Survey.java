package io.keyvalueserve.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Looks at a log before it is read: which chunks there are, which there should be, and where each
 * one ends. It changes nothing.
 *
 * <pre>
 *   name      manifest   header     what the file is
 *   --------  ---------  ---------  -----------------------------------------------------------------
 *   no chunk  -          -          STRANGE_FILE: the log is not opened
 *   chunk     names it   says it    a chunk
 *   chunk     names it   unreadable a chunk with BAD_HEADER: the manifest knows its sizes
 *   chunk     any        another    MISNAMED_CHUNK, to be set aside
 *   chunk     says gone  any        a crash while it was removed: to be removed
 *   chunk     does not   any        with frames UNLISTED_CHUNK, to be set aside; without, a crash while
 *                                   it was made: to be removed
 *   chunk     damaged    says it    a chunk
 *   none      names it   -          MISSING_CHUNK
 * </pre>
 *
 * <p>Where unsealed chunks end is {@link TailRule}'s to say.
 */
final class Survey {
  private static final int UNIT_BYTES = 1 << 20;

  private final Disk disk;
  private final LogIdentity identity;
  private final JournalConfig config;
  final Manifest manifest;
  final List<Damage> damage = new ArrayList<>();
  final NavigableMap<Long, ChunkPlan> plans = new TreeMap<>();

  /** Files that are to be removed or set aside when the log has been read. */
  final List<String> toRemove = new ArrayList<>();

  final List<String> toSetAside = new ArrayList<>();

  private final boolean manifestUsable;
  private final TailRule tails = new TailRule();

  private Survey(Disk disk, LogIdentity identity, JournalConfig config) throws IOException {
    this.disk = disk;
    this.identity = identity;
    this.config = config;
    manifest = Manifest.read(disk);
    manifestUsable = !manifest.isMissing() && manifest.damagedAt().isEmpty();
  }

  static Survey of(Disk disk, LogIdentity identity, JournalConfig config) throws IOException {
    Survey survey = new Survey(disk, identity, config);
    survey.look();
    return survey;
  }

  private void look() throws IOException {
    List<String> names = disk.list(LogFiles.CHUNKS);
    if (!manifestUsable) { // it is there before the identity is
      long offset = manifest.damagedAt().orElse(0);
      add(
          Damage.Kind.BAD_MANIFEST,
          LogFiles.MANIFEST,
          offset,
          0,
          (manifest.isMissing() ? "it is missing" : "a line is damaged")
              + "; chunks' own headers were used, a missing chunk would not be noticed");
    }
    for (String name : disk.list(LogFiles.BLOBS)) {
      if (LogFiles.blobOf(name).isEmpty()) {
        addStrange(LogFiles.BLOBS + "/" + name);
      }
    }
    SortedMap<Long, Manifest.Entry> expected = manifest.chunks();
    for (String name : names) {
      OptionalLong id = LogFiles.chunkOf(name);
      if (id.isEmpty()) {
        addStrange(LogFiles.CHUNKS + "/" + name);
      } else {
        look(id.getAsLong(), expected);
      }
    }
    for (Manifest.Entry entry : expected.values()) {
      if (!disk.exists(LogFiles.chunk(entry.chunk()))) {
        add(
            Damage.Kind.MISSING_CHUNK,
            LogFiles.chunk(entry.chunk()),
            0,
            entry.chunkBytes(),
            "the manifest names it; bring it back and start again, or go on without it");
      }
    }
    lookAtCertain(expected);
    tails.decide(this);
  }

  /** Up to where streams were certain, whatever is left of their chunks. */
  private void lookAtCertain(SortedMap<Long, Manifest.Entry> expected) throws IOException {
    CertainFile.Found found = CertainFile.read(disk);
    if (found.damaged() && tails.isNeeded()) {
      add(
          Damage.Kind.BAD_CERTAIN,
          LogFiles.CERTAIN,
          0,
          0,
          "it says nothing; chunks' own marks were used, an end that was cut off would not be"
              + " noticed");
    }
    for (long position : found.positions()) {
      long id = Position.chunk(position);
      ChunkPlan plan = plans.get(id);
      Manifest.Entry entry = plan != null ? plan.entry() : expected.get(id);
      if (entry != null) {
        tails.addCertain(entry, Position.offset(position));
      }
    }
  }

  private void look(long id, SortedMap<Long, Manifest.Entry> expected) throws IOException {
    String name = LogFiles.chunk(id);
    try (ChunkFile file = ChunkFile.open(disk, id)) {
      Optional<ChunkHeader> header = file.header();
      Optional<String> stranger = header.flatMap(found -> stranger(found, id));
      Manifest.Entry entry = expected.get(id);
      if (stranger.isPresent()) {
        add(Damage.Kind.MISNAMED_CHUNK, name, 0, file.size(), stranger.get());
        toSetAside.add(name);
        if (entry != null) {
          add(Damage.Kind.MISSING_CHUNK, name, 0, entry.chunkBytes(), "its name holds another");
        }
        return;
      }
      boolean listed = entry != null;
      if (entry == null) {
        entry = entryOf(id, header);
      }
      if (!listed && manifestUsable) {
        lookAtUnlisted(file, entry, name);
        return;
      }
      if (header.isEmpty()) {
        if (!listed && !hasFrames(file, entry)) {
          toRemove.add(name);
          return;
        }
        add(Damage.Kind.BAD_HEADER, name, 0, ChunkHeader.BYTES, "its frames say where they belong");
      }
      plan(file, entry, header.isEmpty());
    }
  }

  private void plan(ChunkFile file, Manifest.Entry entry, boolean damaged) {
    String name = LogFiles.chunk(entry.chunk());
    Optional<ChunkTrailer> trailer =
        file.trailer(entry.chunk()).filter(found -> found.end() <= entry.chunkBytes());
    if (trailer.isEmpty() && file.hasTrailerMark()) {
      add(
          Damage.Kind.BAD_TRAILER,
          name,
          file.size() - ChunkTrailer.BYTES,
          ChunkTrailer.BYTES,
          "its frames were looked at one by one");
    }
    long end = trailer.map(ChunkTrailer::end).orElse(entry.end());
    if (end < 0) {
      tails.add(scan(file, entry));
    } else {
      tails.addCertain(entry, end);
    }
    plans.put(
        entry.chunk(),
        new ChunkPlan(trailer.isPresent() ? entry.cutAt(end) : entry, end, trailer, damaged));
  }

  private TailRule.Scan scan(ChunkFile file, Manifest.Entry entry) {
    int unit = Math.max(UNIT_BYTES, entry.blockBytes());
    long to = Math.min(entry.chunkBytes(), file.size() & -(long) ChunkHeader.BYTES);
    List<Gap> gaps = new ArrayList<>();
    long certain = 0;
    long frames = 0;
    try (AlignedMemory memory = AlignedMemory.allocate(unit)) {
      FrameScanner scanner = new FrameScanner(memory);
      for (long at = 0; at < to; at += unit) {
        int bytes = (int) Math.min(unit, to - at);
        damage.addAll(file.read(at, memory, bytes));
        scanner.scan(entry.chunk(), at, at == 0 ? ChunkHeader.BYTES : 0, bytes, entry.blockBytes());
        for (Gap gap : scanner.gaps()) {
          int last = gaps.size() - 1;
          if (last >= 0 && gaps.get(last).to() == gap.from()) {
            gaps.set(last, gaps.get(last).with(gap));
          } else {
            gaps.add(gap);
          }
        }
        certain = Math.max(certain, scanner.certain());
        frames += scanner.count();
      }
    }
    return new TailRule.Scan(entry, Math.max(to, ChunkHeader.BYTES), gaps, certain, frames);
  }

  private boolean hasFrames(ChunkFile file, Manifest.Entry entry) {
    return scan(file, entry).frames() > 0;
  }

  private void lookAtUnlisted(ChunkFile file, Manifest.Entry entry, String name) {
    if (!manifest.isChunkGone(entry.chunk()) && hasFrames(file, entry)) {
      add(
          Damage.Kind.UNLISTED_CHUNK,
          name,
          0,
          file.size(),
          "the manifest does not name it; it is set aside");
      toSetAside.add(name);
    } else {
      toRemove.add(name); // a crash while it was made, or while it was removed
    }
  }

  private Optional<String> stranger(ChunkHeader header, long id) {
    if (header.chunk() != id) {
      return Optional.of("it holds chunk %d and is set aside".formatted(header.chunk()));
    }
    if (!header.cluster().equals(identity.cluster())
        || !header.member().equals(identity.member())) {
      return Optional.of(
          "it belongs to member %s of cluster %s and is set aside"
              .formatted(header.member(), header.cluster()));
    }
    return Optional.empty();
  }

  private Manifest.Entry entryOf(long id, Optional<ChunkHeader> header) {
    return header
        .map(
            found ->
                new Manifest.Entry(
                    id, found.run(), found.stream(), found.blockBytes(), found.chunkBytes(), -1))
        .orElseGet(
            () -> new Manifest.Entry(id, id, 0, config.blockBytes(), config.chunkBytes(), -1));
  }

  private void addStrange(String name) {
    add(Damage.Kind.STRANGE_FILE, name, 0, 0, "it is no part of a log");
  }

  void add(Damage.Kind kind, String name, long offset, long bytes, String text) {
    damage.add(new Damage(kind, disk.path(name), offset, bytes, text));
  }
}
