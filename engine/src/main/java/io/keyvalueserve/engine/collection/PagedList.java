package io.keyvalueserve.engine.collection;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A list in pages: a tree of its elements, which have no keys. */
final class PagedList extends PagedCollection implements ListView {
  private static final int BATCH = 512;
  private static final NameHash NO_HASH = new NameHash(0, 0);

  private final ElementTree elements;

  PagedList(PageDraft pages, @Nullable PagedHead head) {
    super(CollectionType.LIST, pages, head);
    this.elements = tree(head, 0);
  }

  @Override
  List<ElementTree> trees() {
    return List.of(elements);
  }

  @Override
  NameHash hash() {
    return NO_HASH;
  }

  @Override
  public long size() {
    return elements.size();
  }

  @Override
  public void visit(long from, long count, Predicate<Bytes> visitor) {
    elements.visit(from, Math.min(count, size() - from), (key, value) -> visitor.test(value));
  }

  @Override
  public void visitBackwards(Predicate<Bytes> visitor) {
    boolean goesOn = true;
    for (long end = size(); end > 0 && goesOn; end -= BATCH) {
      long from = Math.max(0, end - BATCH);
      for (Bytes element : range(from, end - from).reversed()) {
        if (!visitor.test(element)) {
          goesOn = false;
          break;
        }
      }
    }
  }

  @Override
  public void splice(long from, long removed, List<Bytes> inserted) {
    if (removed > 0) {
      elements.removeRange(from, removed);
    }
    if (!inserted.isEmpty()) {
      elements.insert(from, inserted);
    }
    changed();
  }

  @Override
  public void remove(List<Long> indexes) {
    int end = indexes.size();
    while (end > 0) {
      int start = end - 1;
      while (start > 0 && indexes.get(start - 1) == indexes.get(start) - 1) {
        start--;
      }
      elements.removeRange(indexes.get(start), (long) end - start);
      changed();
      end = start;
    }
  }

  @Override
  void addAll(PackedElements packed) {
    List<Bytes> batch = new ArrayList<>(BATCH);
    boolean more = true;
    while (more) {
      more = packed.next();
      if (more) {
        batch.add(packed.name());
      }
      if (batch.size() == BATCH || !more) {
        splice(size(), 0, List.copyOf(batch));
        batch.clear();
      }
    }
  }

  @Override
  CollectionValue pack(long mostBytes) {
    PackingRoom room = new PackingRoom(mostBytes);
    visit(0, size(), element -> room.add(PackedWriter.size(element.length())));
    PackedWriter writer = room.begin(PackingRoom.PLAIN, size());
    visit(
        0,
        size(),
        element -> {
          writer.writeBytes(element);
          return true;
        });
    return writer.finish(CollectionType.LIST);
  }
}
