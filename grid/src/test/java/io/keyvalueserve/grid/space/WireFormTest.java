package io.keyvalueserve.grid.space;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.keyvalueserve.engine.ExpireCondition;
import io.keyvalueserve.engine.KeyCommand;
import io.keyvalueserve.engine.Outcome;
import io.keyvalueserve.engine.ValueMatch;
import io.keyvalueserve.engine.ValueTag;
import io.keyvalueserve.engine.WriteCondition;
import java.io.IOException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    int code = 0;
    for (Outcome.Rejected rejected : Outcome.Rejected.values()) {
      forms.put(rejected, "080" + code++);
    }
    forms.put(new Outcome.Failure(Outcome.Failure.Kind.TIMEOUT, "m"), "0901000000016d");
    forms.put(new Outcome.Failure(Outcome.Failure.Kind.IN_DOUBT, "m"), "0908000000016d");
    forms.put(new Outcome.Failure(Outcome.Failure.Kind.TOO_COSTLY, "m"), "0909000000016d");
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
}
