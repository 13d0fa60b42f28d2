package io.keyvalueserve.grid.external;

import com.hazelcast.internal.nio.IOUtil;
import com.hazelcast.internal.serialization.Data;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table that was changed, as one entry of its map.
 *
 * @param value what the entry is now; null if it is no more, or has to be read
 * @param known whether the value is known
 * @param wanted whether the entry is put if it is not there
 */
record FollowedChange(Data key, @Nullable Data value, boolean known, boolean wanted) {
  private static final int KNOWN = 1;
  private static final int WANTED = 2;

  /** Returns whether there is no such row any more. */
  boolean isGone() {
    return known && value == null;
  }

  /** Returns how many bytes it takes, about. */
  int bytes() {
    return key.totalSize() + (value == null ? 0 : value.totalSize());
  }

  void write(ObjectDataOutput out) throws IOException {
    IOUtil.writeData(out, key);
    IOUtil.writeData(out, value);
    out.writeByte((known ? KNOWN : 0) | (wanted ? WANTED : 0));
  }

  static FollowedChange read(ObjectDataInput in) throws IOException {
    Data key = Objects.requireNonNull(IOUtil.readData(in));
    Data value = IOUtil.readData(in);
    int flags = in.readByte();
    return new FollowedChange(key, value, (flags & KNOWN) != 0, (flags & WANTED) != 0);
  }
}
