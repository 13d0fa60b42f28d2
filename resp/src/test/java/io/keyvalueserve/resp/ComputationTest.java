package io.keyvalueserve.resp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.engine.Expiry;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.collection.Bytes;
import io.keyvalueserve.engine.collection.CollectionPacker;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.Element;
import io.keyvalueserve.engine.rdb.RdbWriter;
import io.keyvalueserve.resp.command.CommandException;
import io.keyvalueserve.resp.command.CommandTable;
import io.keyvalueserve.resp.command.Computation;
import io.keyvalueserve.resp.command.KeyedCommand;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Goal: no command holds an event loop for long. Method: the steps of commands on large values are
 * counted, and their replies compared with what they have to be.
 */
class ComputationTest {
  private static final int MOST_VALUE_BYTES = 16 << 20;
  private static final int MOST_COLLECTION_BYTES = 1 << 20;

  private int steps;

  @Test
  void comparesLongValuesInManySteps() {
    byte[] a = letters(1, 1_500);
    byte[] b = letters(2, 2_000);
    Reply reply = run(computation("LCS", "a", "b", "LEN"), entry(a), entry(b));
    assertThat(reply).isEqualTo(Reply.integer(common(a, b)));
    assertThat(steps).isGreaterThan(150);
    Reply bytes = run(computation("LCS", "a", "b"), entry(a), entry(b));
    assertThat(((Reply.Bulk) bytes).length()).isEqualTo(common(a, b));
  }

  @Test
  void comparesOneLongValueWithAShortOneInManySteps() {
    byte[] a = letters(1, 1);
    byte[] b = letters(2, 2_000_000);
    assertThat(run(computation("LCS", "a", "b", "IDX"), entry(a), entry(b)))
        .isInstanceOf(Reply.MapOf.class);
    assertThat(steps).isGreaterThan(100);
  }

  @Test
  void refusesToCompareValuesThatAreTooLong() {
    byte[] a = letters(1, 2_048);
    Computation computation = computation("LCS", "a", "b", "LEN");
    assertThatThrownBy(() -> run(computation, entry(a), entry(a)))
        .isInstanceOfSatisfying(
            CommandException.class,
            e ->
                assertThat(new String(e.reply().line(), US_ASCII)).contains("Insufficient memory"));
  }

  @Test
  void dumpsAndRestoresLongValuesInManySteps() {
    byte[] value = letters(3, 1 << 20);
    Reply.Bulk dump = (Reply.Bulk) run(computation("DUMP", "k"), entry(value));
    assertThat(steps).isGreaterThan(60);
    byte[] bytes = Arrays.copyOfRange(dump.bytes(), dump.offset(), dump.length());
    assertThat(bytes).isEqualTo(RdbWriter.dump(value));
    KeyedCommand restore = command("RESTORE");
    Request request =
        new Request(
            "RESTORE".getBytes(US_ASCII), "k".getBytes(US_ASCII), "0".getBytes(US_ASCII), bytes);
    Computation restoring =
        Objects.requireNonNull(restore.computation(request, context()), "a computation");
    steps = 0;
    Computation.Step step = restoring.step();
    while (step == Computation.Step.More.MORE) {
      steps++;
      step = restoring.step();
    }
    assertThat(steps).isGreaterThan(60);
    assertThat(((KeyCommand.Write) ((Computation.Step.Ask) step).command()).value())
        .isEqualTo(value);
    restoring.take(Outcome.Applied.WITHOUT_PREVIOUS);
    assertThat(restoring.step()).isEqualTo(new Computation.Step.Done(Reply.OK));
  }

  @Test
  void dumpsAndRestoresLongCollectionsInManySteps() {
    CollectionPacker packer =
        new CollectionPacker(CollectionType.SORTED_SET, MOST_COLLECTION_BYTES);
    Random random = new Random(4);
    for (int i = 0; i < 40_000; i++) {
      byte[] member = ("member" + i).getBytes(US_ASCII);
      assertThat(packer.put(Bytes.of(member), random.nextInt(1_000)))
          .isEqualTo(CollectionPacker.Added.NEW);
    }
    while (!packer.run(1_000)) {
      Thread.onSpinWait();
    }
    byte[] packed = packer.packed();
    Outcome exported =
        new Outcome.Elements(
            List.of(Element.of(CollectionType.SORTED_SET.code()), new Element.Text(packed)));
    Reply.Bulk dump = (Reply.Bulk) run(computation("DUMP", "k"), exported);
    assertThat(steps).isGreaterThan(100);
    Request request =
        new Request(
            "RESTORE".getBytes(US_ASCII),
            "k".getBytes(US_ASCII),
            "0".getBytes(US_ASCII),
            Arrays.copyOfRange(dump.bytes(), dump.offset(), dump.length()));
    Computation restoring =
        Objects.requireNonNull(command("RESTORE").computation(request, context()), "a computation");
    steps = 0;
    Computation.Step step = restoring.step();
    while (step == Computation.Step.More.MORE) {
      steps++;
      assertThat(restoring.heldBytes()).isLessThan(4L * MOST_COLLECTION_BYTES);
      step = restoring.step();
    }
    assertThat(steps).isGreaterThan(100);
    assertThat(((KeyCommand.WriteCollection) ((Computation.Step.Ask) step).command()).packed())
        .isEqualTo(packed);
  }

  private Reply run(Computation computation, Outcome... outcomes) {
    steps = 0;
    int taken = 0;
    while (true) {
      steps++;
      switch (computation.step()) {
        case Computation.Step.More _ -> {}
        case Computation.Step.Ask _ -> computation.take(outcomes[taken++]);
        case Computation.Step.Done done -> {
          return done.reply();
        }
      }
    }
  }

  private static Computation computation(String... words) {
    byte[][] arguments = new byte[words.length][];
    for (int i = 0; i < words.length; i++) {
      arguments[i] = words[i].getBytes(US_ASCII);
    }
    return Objects.requireNonNull(
        command(words[0]).computation(new Request(arguments), context()), "a computation");
  }

  private static KeyedCommand command(String name) {
    return (KeyedCommand)
        Objects.requireNonNull(CommandTable.standard().find(name.getBytes(US_ASCII)), name);
  }

  private static KeyedCommand.PlanContext context() {
    return new KeyedCommand.PlanContext(1, MOST_VALUE_BYTES, MOST_COLLECTION_BYTES);
  }

  private static Outcome entry(byte[] value) {
    return new Outcome.Entry(value, Expiry.NONE);
  }

  private static byte[] letters(long seed, int length) {
    Random random = new Random(seed);
    byte[] letters = new byte[length];
    for (int i = 0; i < length; i++) {
      letters[i] = (byte) ('a' + random.nextInt(4));
    }
    return letters;
  }

  /** Returns the length of what two values have in common. */
  private static int common(byte[] a, byte[] b) {
    int[][] lengths = new int[a.length + 1][b.length + 1];
    for (int i = 1; i <= a.length; i++) {
      for (int j = 1; j <= b.length; j++) {
        lengths[i][j] =
            a[i - 1] == b[j - 1]
                ? lengths[i - 1][j - 1] + 1
                : Math.max(lengths[i - 1][j], lengths[i][j - 1]);
      }
    }
    return lengths[a.length][b.length];
  }
}
