package io.keyvalueserve.journal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tells the torn tail of a crash from damage, and so where the chunks end that were not sealed.
 *
 * <p>A crash takes any part of what a stream had not made certain yet; damage takes what was
 * certain. What was certain is written in the log itself: marks say up to where it was when they
 * were written, and a trailer is written only when all before it is. Marks go with what is cut off,
 * so {@link CertainFile} says it too. A chunk whose file ends before that point has a gap there. So
 * of the parts without a valid frame:
 *
 * <ul>
 *   <li>one that begins before the last point known to be certain is damage, and reading goes on
 *       behind it;
 *   <li>the first that begins later is where the stream ends. Whatever is behind it, in later
 *       chunks of that stream and run too, was never certain and is given up, so that what remains
 *       is what the stream held at one moment.
 * </ul>
 *
 * <p>The end that was decided goes into the manifest, so that it is decided once.
 */
final class TailRule {
  /**
   * The result of scanning an unsealed chunk.
   *
   * @param entry which chunk
   * @param to how much of it there is
   * @param gaps the parts without a valid frame
   * @param certain the last point that its marks say was certain
   * @param frames how many frames it has
   */
  record Scan(Manifest.Entry entry, long to, List<Gap> gaps, long certain, long frames) {}

  private record Writer(long run, int stream) {}

  private final Map<Writer, List<Scan>> unsealed =
      new TreeMap<>(Comparator.comparingLong(Writer::run).thenComparingInt(Writer::stream));
  private final Map<Writer, Long> certain =
      new TreeMap<>(Comparator.comparingLong(Writer::run).thenComparingInt(Writer::stream));

  void add(Scan scan) {
    unsealed.computeIfAbsent(writer(scan.entry), key -> new ArrayList<>()).add(scan);
    certain.merge(writer(scan.entry), scan.certain, Math::max);
  }

  /** A chunk that is certain up to an offset, and so are the chunks before it. */
  void addCertain(Manifest.Entry entry, long end) {
    certain.merge(writer(entry), Position.of(entry.chunk(), end), Math::max);
  }

  private static Writer writer(Manifest.Entry entry) {
    return new Writer(entry.run(), entry.stream());
  }

  /** Returns whether the end of any chunk is to be found. */
  boolean isNeeded() {
    return !unsealed.isEmpty();
  }

  void decide(Survey survey) {
    unsealed.forEach((writer, scans) -> decide(survey, scans, certain.getOrDefault(writer, 0L)));
  }

  private static void decide(Survey survey, List<Scan> scans, long certain) {
    boolean ended = false;
    for (Scan scanned : scans) {
      Scan scan = withMissing(scanned, certain);
      String name = LogFiles.chunk(scan.entry.chunk());
      if (ended) {
        if (scan.frames > 0) {
          survey.add(
              Damage.Kind.BEHIND_TORN_TAIL,
              name,
              ChunkHeader.BYTES,
              scan.to - ChunkHeader.BYTES,
              "%d frames that were never certain are given up".formatted(scan.frames));
        }
        giveUp(survey, scan);
        continue;
      }
      long end = end(scan, certain);
      ended = end < scan.entry.chunkBytes();
      reportTail(survey, name, scan, end);
      if (end <= ChunkHeader.BYTES) {
        giveUp(survey, scan);
      } else {
        survey.plans.computeIfPresent(
            scan.entry.chunk(),
            (id, plan) ->
                new ChunkPlan(scan.entry.cutAt(end), end, plan.trailer(), plan.damaged()));
      }
    }
  }

  /**
   * Adds to the gaps what a chunk's file lacks of what was certain. A gap up to the end of the file
   * ends where it is not certain any more.
   */
  private static Scan withMissing(Scan scan, long certain) {
    long id = scan.entry.chunk();
    if (Position.chunk(certain) < id) {
      return scan;
    }
    boolean isWhole = Position.chunk(certain) > id; // a stream goes on when its chunk is full
    long due = isWhole ? scan.entry.chunkBytes() : Position.offset(certain);
    List<Gap> gaps = new ArrayList<>(scan.gaps);
    Gap last = gaps.isEmpty() ? null : gaps.getLast();
    if (due > scan.to) {
      Gap missing = new Gap(scan.to, due, scan.to);
      if (last != null && last.to() == scan.to) {
        gaps.set(gaps.size() - 1, last.with(missing));
      } else {
        gaps.add(missing);
      }
    } else if (last != null && last.to() == scan.to && last.from() < due && due < last.to()) {
      gaps.set(gaps.size() - 1, new Gap(last.from(), due, Math.min(last.lastByte(), due)));
      gaps.add(new Gap(due, last.to(), Math.max(last.lastByte(), due)));
    }
    return new Scan(scan.entry, Math.max(scan.to, due), gaps, scan.certain, scan.frames);
  }

  private static void giveUp(Survey survey, Scan scan) {
    survey.plans.remove(scan.entry.chunk());
    survey.toRemove.add(LogFiles.chunk(scan.entry.chunk()));
  }

  /** Returns the offset of the first gap that a crash may have made, or the end of the chunk. */
  private static long end(Scan scan, long certain) {
    for (Gap gap : scan.gaps) {
      if (Position.of(scan.entry.chunk(), gap.from()) >= certain) {
        return gap.from();
      }
    }
    return scan.to;
  }

  private static void reportTail(Survey survey, String name, Scan scan, long end) {
    long last = end;
    for (Gap gap : scan.gaps) {
      if (gap.from() >= end) {
        last = gap.to() < scan.to ? scan.to : Math.max(last, gap.lastByte());
        if (gap.to() < scan.to) {
          break;
        }
      }
    }
    if (last > end) {
      survey.add(
          Damage.Kind.TORN_TAIL,
          name,
          end,
          last - end,
          "a crash cut it off; nothing behind it was certain");
    }
  }
}
