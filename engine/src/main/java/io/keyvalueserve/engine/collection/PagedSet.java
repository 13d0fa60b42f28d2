package io.keyvalueserve.engine.collection;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A set in pages: a tree whose keys are the members, in the order of their hashes. */
final class PagedSet extends PagedCollection implements SetView {
  private static final Bytes NOTHING = Bytes.of(new byte[0]);

  private final NameHash hash;
  private final ElementTree members;

  PagedSet(PageDraft pages, @Nullable PagedHead head) {
    super(CollectionType.SET, pages, head);
    this.hash = head == null ? NameHash.random() : head.hash();
    this.members = tree(head, 0);
  }

  @Override
  List<ElementTree> trees() {
    return List.of(members);
  }

  @Override
  NameHash hash() {
    return hash;
  }

  @Override
  public long size() {
    return members.size();
  }

  @Override
  public boolean contains(Bytes member) {
    return members.get(hash.key(member)) != null;
  }

  @Override
  public boolean add(Bytes member) {
    Bytes key = hash.key(member);
    if (members.get(key) != null) {
      return false;
    }
    changed();
    return members.put(key, NOTHING);
  }

  @Override
  public boolean remove(Bytes member) {
    boolean removed = members.remove(hash.key(member));
    if (removed) {
      changed();
    }
    return removed;
  }

  @Override
  public long scan(long cursor, int count, Predicate<Bytes> visitor) {
    return hash.scan(members, cursor, count, (key, value) -> visitor.test(NameHash.name(key)));
  }

  @Override
  public void forEach(Predicate<Bytes> visitor) {
    members.visit(0, size(), (key, value) -> visitor.test(NameHash.name(key)));
  }

  @Override
  public Places<Bytes> places() {
    return new TreePlaces<>(members, (key, value) -> NameHash.name(key));
  }

  @Override
  void addAll(PackedElements elements) {
    while (elements.next()) {
      boolean _ = add(elements.name());
    }
  }

  @Override
  CollectionValue pack(long mostBytes) {
    PackingRoom room = new PackingRoom(mostBytes);
    forEach(member -> room.add(PackedWriter.size(member.length())));
    PackedWriter writer = room.begin(PackingRoom.PLAIN, size());
    forEach(
        member -> {
          writer.writeBytes(member);
          return true;
        });
    return writer.finish(CollectionType.SET);
  }
}
