package io.keyvalueserve.tenancy.audit;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * One reading of a trail, part by part: parts that lie before the cursor or outside the times asked
 * for are not opened, and no more is held than a page.
 */
final class Search {
  private final AuditQuery query;
  private final List<? extends Trail.Part> parts;
  private final List<DamagedLine> damaged = new ArrayList<>();

  Search(AuditQuery query, List<? extends Trail.Part> parts) {
    this.query = query;
    this.parts = parts;
  }

  private abstract class Sink implements EventSink {
    @Override
    public void damaged(DamagedLine line) {
      if (damaged.size() < AuditLog.MOST_DAMAGED) {
        damaged.add(line);
      }
    }
  }

  AuditPage oldestFirst() throws IOException {
    List<AuditEvent> found = new ArrayList<>();
    EventSink sink =
        new Sink() {
          @Override
          public boolean event(AuditEvent event) {
            if (query.isAfterCursor(event.sequence()) && query.matches(event)) {
              found.add(event);
            }
            return found.size() <= query.limit();
          }
        };
    for (int i = 0; i < parts.size() && found.size() <= query.limit(); i++) {
      boolean passed =
          i + 1 < parts.size() && !query.isAfterCursor(parts.get(i + 1).firstSequence() - 1);
      if (!passed && parts.get(i).mayMatch(query)) {
        parts.get(i).read(sink);
      }
    }
    return page(found);
  }

  /** A part is read from its beginning, but only the last of its events that match are held. */
  AuditPage newestFirst() throws IOException {
    List<AuditEvent> found = new ArrayList<>();
    for (int i = parts.size() - 1; i >= 0 && found.size() <= query.limit(); i--) {
      Trail.Part part = parts.get(i);
      if (query.isAfterCursor(part.firstSequence()) && part.mayMatch(query)) {
        found.addAll(lastOf(part, query.limit() + 1 - found.size()).reversed());
      }
    }
    return page(found);
  }

  private ArrayDeque<AuditEvent> lastOf(Trail.Part part, int most) throws IOException {
    ArrayDeque<AuditEvent> last = new ArrayDeque<>();
    part.read(
        new Sink() {
          @Override
          public boolean event(AuditEvent event) {
            if (!query.isAfterCursor(event.sequence())) {
              return false;
            }
            if (query.matches(event)) {
              if (last.size() == most) {
                last.removeFirst();
              }
              last.addLast(event);
            }
            return true;
          }
        });
    return last;
  }

  AuditExport export(OutputStream to) throws IOException {
    long[] events = {0};
    EventSink sink =
        new Sink() {
          @Override
          public boolean event(AuditEvent event) throws IOException {
            if (query.matches(event)) {
              to.write(AuditCodec.encode(event));
              events[0]++;
            }
            return true;
          }
        };
    for (Trail.Part part : parts) {
      if (part.mayMatch(query)) {
        part.read(sink);
      }
    }
    return new AuditExport(events[0], damaged);
  }

  private AuditPage page(List<AuditEvent> found) {
    boolean more = found.size() > query.limit();
    List<AuditEvent> events = more ? found.subList(0, query.limit()) : found;
    OptionalLong next = more ? OptionalLong.of(events.getLast().sequence()) : OptionalLong.empty();
    return new AuditPage(events, next, damaged);
  }
}
