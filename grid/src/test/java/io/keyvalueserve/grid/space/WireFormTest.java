package io.keyvalueserve.grid.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.keyvalueserve.engine.ExpireCondition;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.ValueMatch;
import io.keyvalueserve.engine.ValueOperation;
import io.keyvalueserve.engine.ValueTag;
import io.keyvalueserve.engine.WriteCondition;
import io.keyvalueserve.engine.collection.Arguments;
import io.keyvalueserve.engine.collection.CollectionType;
import io.keyvalueserve.engine.collection.Element;
import io.keyvalueserve.engine.collection.HashOperation;
import io.keyvalueserve.engine.value.BitField;
import io.keyvalueserve.engine.value.BitRange;
import java.io.IOException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What members say to each other keeps its meaning from version to version. */
final class WireFormTest {
  private static final InternalSerializationService SERIALIZATION =
      new DefaultSerializationServiceBuilder().build();

  private static final byte[] K = {'k'};
  private static final byte[] V = {'v'};

  @Test
  void commandsKeepTheirForm() throws IOException {
    Map<KeyCommand, String> forms = new LinkedHashMap<>();
    String k = "000000016b";
    String v = "0000000176";
    forms.put(new KeyCommand.Read(K), "01" + k);
    forms.put(new KeyCommand.Probe(K, true), "02" + k + "01");
    forms.put(
        new KeyCommand.Write(K, V, 5, WriteCondition.IF_PRESENT, true),
        "03" + k + v + "0000000000000005" + "02" + "01");
    forms.put(new KeyCommand.Remove(K, false), "04" + k + "00");
    forms.put(
        new KeyCommand.Expire(K, 6, ExpireCondition.IF_EARLIER),
        "05" + k + "0000000000000006" + "04");
    forms.put(new KeyCommand.ReadAndExpire(K, -1), "06" + k + "ffffffffffffffff");
    forms.put(new KeyCommand.Increment(K, 7), "07" + k + "0000000000000007");
    forms.put(new KeyCommand.IncrementDecimal(K, "1"), "08" + k + "0000000131");
    forms.put(new KeyCommand.Append(K, V, 8), "09" + k + v + "00000008");
    forms.put(new KeyCommand.Overwrite(K, 9, V, 10), "0a" + k + "00000009" + v + "0000000a");
    forms.put(
        new KeyCommand.WriteIf(K, V, 11, ValueMatch.ABSENT),
        "0b" + k + v + "000000000000000b" + "01" + "00000000");
    forms.put(
        new KeyCommand.RemoveIf(K, ValueMatch.tagged(List.of(ValueTag.of(V)))),
        "0c" + k + "03" + "00000010" + "4c94485e0c21ae6c41ce1dfe7b6bface");
    forms.put(
        new KeyCommand.OnCollection(K, HashOperation.INCREMENT, Arguments.of(V).with(-1), 1 << 20),
        "0d" + k + "01" + "0009" + "00000001" + v + "00000001ffffffffffffffff" + "00100000");
    forms.put(
        new KeyCommand.WriteCollection(
            K, CollectionType.SORTED_SET, V, 5, WriteCondition.IF_ABSENT),
        "0f" + k + "04" + v + "0000000000000005" + "01");
    String operate = "0e" + k;
    String range = "0000000000000001" + "ffffffffffffffff" + "01";
    BitRange bits = new BitRange(1, -1, true);
    BitField field =
        new BitField(BitField.Action.SET, BitField.Overflow.FAIL, /* signed= */ true, 64, 3, -2);
    Map<ValueOperation, String> operations = new LinkedHashMap<>();
    operations.put(new ValueOperation.SetBit(9, true), "01" + "0000000000000009" + "01");
    operations.put(new ValueOperation.GetBit(9), "02" + "0000000000000009");
    operations.put(new ValueOperation.CountBits(bits), "03" + range);
    operations.put(new ValueOperation.FindBit(false, bits, true), "0400" + range + "01");
    operations.put(
        new ValueOperation.RunFields(List.of(field)),
        "05" + "00000001" + "01" + "02" + "01" + "40" + "0000000000000003" + "fffffffffffffffe");
    operations.put(new ValueOperation.AddToSketch(List.of(V)), "06" + "00000001" + v);
    operations.put(new ValueOperation.CountSketch(), "07");
    operations.put(new ValueOperation.ReadSketch(), "08");
    operations.put(new ValueOperation.MergeSketch(V, true), "09" + v + "01");
    operations.put(new ValueOperation.Describe(ValueOperation.Describe.Fact.STORED_BYTES), "0a02");
    operations.put(new ValueOperation.Export(), "0b");
    operations.forEach(
        (operation, form) -> forms.put(new KeyCommand.Operate(K, operation), operate + form));
    for (Map.Entry<KeyCommand, String> form : forms.entrySet()) {
      assertThat(hex(out -> CommandCodec.write(out, form.getKey()))).isEqualTo(form.getValue());
      assertThat(CommandCodec.read(input(form.getValue())))
          .usingRecursiveComparison()
          .isEqualTo(form.getKey());
    }
  }

  @Test
  void outcomesKeepTheirForm() throws IOException {
    Map<Outcome, String> forms = new LinkedHashMap<>();
    String v = "0000000176";
    forms.put(Outcome.Missing.MISSING, "01");
    forms.put(new Outcome.Entry(V, 5), "02" + v + "0000000000000005");
    forms.put(new Outcome.Info(-1, 0), "03ffffffff0000000000000000");
    forms.put(Outcome.Applied.WITHOUT_PREVIOUS, "04ffffffff");
    forms.put(new Outcome.NotApplied(V), "05" + v);
    forms.put(new Outcome.IntegerResult(7), "060000000000000007");
    forms.put(new Outcome.DecimalResult("1"), "070000000131");
    forms.put(
        new Outcome.Integers(new long[] {-1, 0}, new boolean[] {false, true}),
        "0c" + "00000002" + "ffffffffffffffff" + "0000000000000000" + "00000002" + "00" + "01");
    int code = 0;
    for (Outcome.Rejected rejected : Outcome.Rejected.values()) {
      forms.put(rejected, "08%02x".formatted(code++));
    }
    forms.put(new Outcome.Failure(Outcome.Failure.Kind.TIMEOUT, "m"), "0901000000016d");
    forms.put(new Outcome.Failure(Outcome.Failure.Kind.IN_DOUBT, "m"), "0908000000016d");
    forms.put(new Outcome.Failure(Outcome.Failure.Kind.TOO_COSTLY, "m"), "0909000000016d");
    forms.put(new Outcome.Info(-1, 0, CollectionType.SORTED_SET), "0affffffff000000000000000004");
    forms.put(
        new Outcome.Elements(
            List.of(
                Element.Nothing.NOTHING,
                new Element.Text(V),
                new Element.Whole(1),
                new Element.Group(List.of(new Element.Real(1))))),
        "0b"
            + "00000004"
            + "00"
            + "01"
            + v
            + "020000000000000001"
            + "0400000001"
            + "033ff0000000000000");
    for (Map.Entry<Outcome, String> form : forms.entrySet()) {
      assertThat(hex(out -> OutcomeCodec.write(out, form.getKey()))).isEqualTo(form.getValue());
      assertThat(OutcomeCodec.read(input(form.getValue())))
          .usingRecursiveComparison()
          .isEqualTo(form.getKey());
    }
  }

  private static ObjectDataInput input(String hex) {
    return SERIALIZATION.createObjectDataInput(HexFormat.of().parseHex(hex));
  }

  private static String hex(Written written) throws IOException {
    try (var out = SERIALIZATION.createObjectDataOutput()) {
      written.to(out);
      return HexFormat.of().formatHex(out.toByteArray());
    }
  }

  @FunctionalInterface
  private interface Written {
    void to(ObjectDataOutput out) throws IOException;
  }

  /** A damaged number of parts ends in an error, before there is an array of so many. */
  @Test
  void damagedNumbersOfPartsAreRefused() {
    for (String count : List.of("7fffffff", "ffffffff", "80000000")) {
      assertThatThrownBy(() -> OutcomeCodec.read(input("0c" + count)))
          .isInstanceOf(IOException.class);
      assertThatThrownBy(() -> OutcomeCodec.read(input("0c" + "00000000" + count)))
          .isInstanceOf(IOException.class);
      assertThatThrownBy(() -> TransactionLock.read(input(count))).isInstanceOf(IOException.class);
      assertThatThrownBy(
              () -> new TransactionDecision().readData(input("01" + "0000000000000000" + count)))
          .isInstanceOf(IOException.class);
      assertThatThrownBy(
              () ->
                  new TransactionDecision()
                      .readData(input("01" + "000000000000000000000000" + count)))
          .isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> new LockedEntries().readData(input("01" + "7fffffff")))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> new LockedEntries().readData(input("01" + "80000000")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void longArraysOfIntegersComeWhole() throws IOException {
    long[] values = LongStream.range(0, 5_000).toArray();
    boolean[] absent = new boolean[values.length];
    absent[4_999] = true;
    String form = hex(out -> OutcomeCodec.write(out, new Outcome.Integers(values, absent)));
    assertThat(OutcomeCodec.read(input(form)))
        .usingRecursiveComparison()
        .isEqualTo(new Outcome.Integers(values, absent));
  }
}
