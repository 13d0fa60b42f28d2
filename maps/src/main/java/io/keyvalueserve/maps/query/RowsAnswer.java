package io.keyvalueserve.maps.query;

import com.hazelcast.map.impl.query.GatherSerialization;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import java.io.IOException;
import java.util.List;

/** Rows of another member, and how far its scan has come. */
public final class RowsAnswer implements IdentifiedDataSerializable {
  private byte[] position;
  private List<RowChunks.Chunk> chunks;

  /** Creates an empty answer for deserialization. */
  public RowsAnswer() {
    this(new byte[0], List.of());
  }

  RowsAnswer(byte[] position, List<RowChunks.Chunk> chunks) {
    this.position = position;
    this.chunks = chunks;
  }

  /** Returns where to go on. */
  public ScanPosition position() {
    return ScanPosition.of(position);
  }

  /** Returns the rows. */
  public List<RowChunks.Chunk> chunks() {
    return chunks;
  }

  /** Returns the number of bytes of all rows. */
  public long length() {
    return chunks.stream().mapToLong(RowChunks.Chunk::length).sum();
  }

  @Override
  public int getFactoryId() {
    return GatherSerialization.FACTORY_ID;
  }

  @Override
  public int getClassId() {
    return GatherSerialization.ROWS_ANSWER;
  }

  @Override
  public void writeData(ObjectDataOutput out) throws IOException {
    out.writeByteArray(position);
    out.writeInt((int) length());
    for (RowChunks.Chunk chunk : chunks) {
      out.write(chunk.bytes(), 0, chunk.length());
    }
  }

  @Override
  public void readData(ObjectDataInput in) throws IOException {
    byte[] read = in.readByteArray();
    position = read == null ? new byte[0] : read;
    byte[] rows = new byte[in.readInt()];
    in.readFully(rows);
    chunks = rows.length == 0 ? List.of() : List.of(new RowChunks.Chunk(rows, rows.length));
  }
}
