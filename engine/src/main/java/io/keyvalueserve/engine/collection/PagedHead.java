package io.keyvalueserve.engine.collection;

import java.util.ArrayList;
import java.util.List;

/**
 * The head of a collection in pages: the value of its entry.
 *
 * <pre>
 *   layout 3 (1 byte), seed of the names' hashes (16 bytes), then for each tree of the type:
 *     root (8 bytes), height (1 byte), elements (8 bytes), bytes (8 bytes)
 * </pre>
 *
 * @param hash the order of names; not used by lists
 * @param trees the trees of its type: of a hash the fields and their expiries, of a sorted set the
 *     members and their order, else the elements
 */
record PagedHead(NameHash hash, List<ElementTree.State> trees) {
  private static final int MOST_HEIGHT = 64;

  /** No tree has more elements or bytes: sums of them are no larger than a number can be. */
  private static final long MOST = 1L << 48;

  private static final int SEED_BYTES = 2 * Long.BYTES;
  private static final int TREE_BYTES = 3 * Long.BYTES + 1;

  /**
   * Reads a head.
   *
   * @throws CorruptCollectionException if it is none of its type
   */
  static PagedHead read(CollectionValue value) {
    int count = count(value.type());
    if (!value.isPaged() || value.length() != length(count)) {
      throw new CorruptCollectionException("no such head of a " + value.type().title());
    }
    PackedReader reader = new PackedReader(value);
    int _ = reader.readByte();
    NameHash hash = new NameHash(reader.readLong(), reader.readLong());
    List<ElementTree.State> trees = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ElementTree.State tree =
          new ElementTree.State(
              reader.readLong(), reader.readByte(), reader.readLong(), reader.readLong());
      if (tree.height() > MOST_HEIGHT
          || tree.size() < 0
          || tree.size() > MOST
          || tree.bytes() < 0
          || tree.bytes() > MOST
          || (tree.root() == 0) != (tree.size() == 0)) {
        throw new CorruptCollectionException("a tree of a " + value.type().title() + " is none");
      }
      trees.add(tree);
    }
    long first = trees.getFirst().size();
    long last = trees.getLast().size();
    if (value.type() == CollectionType.SORTED_SET ? first != last : first < last) {
      throw new CorruptCollectionException("the trees do not fit each other");
    }
    return new PagedHead(hash, trees);
  }

  CollectionValue write(CollectionType type) {
    PackedWriter writer =
        new PackedWriter(length(trees.size()))
            .writeByte(CollectionValue.PAGED)
            .writeLong(hash.first())
            .writeLong(hash.second());
    for (ElementTree.State tree : trees) {
      writer
          .writeLong(tree.root())
          .writeByte(tree.height())
          .writeLong(tree.size())
          .writeLong(tree.bytes());
    }
    return writer.finish(type);
  }

  private static int count(CollectionType type) {
    return switch (type) {
      case LIST, SET -> 1;
      case HASH, SORTED_SET -> 2;
    };
  }

  private static int length(int trees) {
    return 1 + SEED_BYTES + trees * TREE_BYTES;
  }
}
