package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A mark says that nothing follows what is certain: so it hides nothing that does. */
class StreamMarkTest {
  private static final int BLOCK_BYTES = 8 << 10;
  private static final int DISK_BLOCK_BYTES = 512;

  private final Appender appender = new Appender(1);
  private final Stream stream = new Stream(0, 4, BLOCK_BYTES, new MapNames(), () -> {});
  private final StreamWriter writer = new StreamWriter(stream, DISK_BLOCK_BYTES, 1, () -> false);

  @BeforeEach
  void open() {
    stream.open(0, Position.of(1, 0), ChunkHeader.BYTES);
    append();
    writer.setCertain(stream.tailPosition());
  }

  @AfterEach
  void close() {
    stream.close();
  }

  @Test
  void aMarkIsNothingThatIsToBecomeCertain() {
    long certain = stream.tailPosition();
    writer.markCertain();
    assertThat(stream.tailPosition()).isEqualTo(Position.of(1, ChunkHeader.BYTES + 512));
    assertThat(writer.appendedPosition()).isEqualTo(certain);
    long record = append();
    assertThat(writer.appendedPosition()).isGreaterThan(record);
  }

  /** As if it had been appended after the writer looked, and before it marks. */
  @Test
  void whatIsAppendedBeforeTheMarkIsNotHiddenByIt() {
    long record = append();
    long tail = stream.tailPosition();
    writer.markCertain();
    assertThat(stream.tailPosition()).as("there is no mark").isEqualTo(tail);
    assertThat(writer.appendedPosition()).isGreaterThan(record);
    assertThat(writer.hasUnwritten()).isTrue();
  }

  @Test
  void aFullBlockNeedsNoMark() {
    while (stream.tailPosition() < Position.of(1, BLOCK_BYTES)) {
      int rest = (int) (Position.of(1, BLOCK_BYTES) - stream.tailPosition());
      assertThat(stream.claim(appender, Math.min(rest, 256), Stream.NO_MAP)).isTrue();
    }
    long certain = stream.tailPosition();
    writer.setCertain(certain);
    writer.markCertain();
    assertThat(stream.tailPosition()).isEqualTo(certain);
    assertThat(writer.appendedPosition()).isEqualTo(certain);
  }

  @Test
  void aStreamThatHasNoBlockYetIsNotMarked() {
    try (Stream young = new Stream(0, 4, BLOCK_BYTES, new MapNames(), () -> {})) {
      assertThat(young.mark(appender, DISK_BLOCK_BYTES, 0)).isEqualTo(Stream.NO_MARK);
    }
  }

  private long append() {
    assertThat(stream.claim(appender, Frames.HEADER_BYTES, Stream.NO_MAP)).isTrue();
    Frames.putHeader(appender.address, Frames.DROP, 0, 0, 0, appender.position, 0, 0);
    stream.publish(appender, Frames.HEADER_BYTES);
    return appender.position;
  }
}
