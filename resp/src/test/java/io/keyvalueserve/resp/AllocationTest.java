package io.keyvalueserve.resp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: on the short way a request allocates nothing, however many there are. Method: reads of many
 * requests are compared with reads of one; what they allocate more is the requests'.
 */
class AllocationTest {
  private static final int READS = 200;
  private static final int REQUESTS = 500;
  private static final double MOST_BYTES_EACH = 1;

  @ParameterizedTest
  @CsvSource({
    "GET k",
    "GET nothing",
    "MGET k nothing k",
    "SET k 0123456789",
    "EXISTS k nothing",
    "TTL k",
    "TYPE k",
    "PING",
    "ECHO hello",
  })
  void aRequestAllocatesNothing(String request) {
    byte[] one = WireClient.request(request.split(" "));
    byte[] many = new String(one, ISO_8859_1).repeat(REQUESTS).getBytes(ISO_8859_1);
    try (EmbeddedSession session =
        new EmbeddedSession(new FlatEngine(Way.QUEUED.engine(EmbeddedSession.CLOCK)))) {
      assertThat(session.send(WireClient.request("SET", "k", "9876543210"))).isEqualTo("+OK\r\n");
      allocated(session, one); // loads classes and pools
      allocated(session, many);
      double each =
          (double) (allocated(session, many) - allocated(session, one)) / READS / (REQUESTS - 1);
      assertThat(each).isLessThan(MOST_BYTES_EACH);
    }
  }

  /** How many bytes so many reads allocate on this thread, the loop's. */
  private static long allocated(EmbeddedSession session, byte[] read) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    ByteBuf bytes = Unpooled.wrappedBuffer(read);
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < READS; i++) {
      session.sendAndDrop(bytes);
    }
    return threads.getCurrentThreadAllocatedBytes() - before;
  }
}
