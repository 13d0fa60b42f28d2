package io.keyvalueserve.grid.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.billing.metering.UsageIdentity;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import org.junit.jupiter.api.Test;

final class PostedMarksTest {
  private static UsageIdentity at(int member, long incarnation, long interval) {
    return LedgerUse.event(member, incarnation, interval, LedgerUse.ACME, 7, "m").identity();
  }

  @Test
  void knowsWhatWasToldByEachLife() {
    PostedMarks marks = new PostedMarks();
    marks.add(at(1, 0, 5));
    marks.add(at(1, 0, 3));
    assertThat(marks.knows(at(1, 0, 5))).isTrue();
    assertThat(marks.knows(at(1, 0, 0))).isTrue();
    assertThat(marks.knows(at(1, 0, 6))).isFalse();
    assertThat(marks.knows(at(1, 1, 0))).isFalse();
    assertThat(marks.knows(at(2, 0, 0))).isFalse();
  }

  @Test
  void forgetsWhoWasSilentLongest() throws Exception {
    PostedMarks marks = new PostedMarks();
    for (int member = 0; member < PostedMarks.MOST; member++) {
      marks.add(at(member, 0, 1));
    }
    marks.add(at(0, 0, 2));
    PostedMarks read = readAgain(marks);
    read.add(at(1000, 0, 0));
    assertThat(read.size()).isEqualTo(PostedMarks.MOST);
    assertThat(read.knows(at(0, 0, 2))).isTrue();
    assertThat(read.knows(at(1, 0, 1))).isFalse();
    assertThat(read.knows(at(2, 0, 1))).isTrue();
    assertThat(marks.knows(at(1, 0, 1))).isTrue();
  }

  private static PostedMarks readAgain(PostedMarks marks) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    marks.write(new DataOutputStream(bytes));
    assertThat(bytes.size()).isEqualTo(4 + 32 * marks.size());
    return PostedMarks.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
  }
}
