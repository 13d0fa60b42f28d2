package io.keyvalueserve.engine;

import static io.keyvalueserve.engine.Batches.run;
import static io.keyvalueserve.engine.Batches.text;
import static io.keyvalueserve.engine.Batches.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.TenantName;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ArithmeticTest {
  private static final byte[] KEY = utf8("k");

  private final KeyMap map =
      new MapEngine(new TurnedClock(1))
          .space(new Identity(new TenantName("acme"), 1, "key"))
          .map(MapName.DEFAULT);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "1",
        "-1",
        "42",
        "9223372036854775807",
        "-9223372036854775808",
        "1000000000000000000"
      })
  void readsIntegers(String text) {
    assertThat(Arithmetic.parseInteger(utf8(text))).hasValue(Long.parseLong(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "+1",
        " 1",
        "1 ",
        "01",
        "-0",
        "-01",
        "1.0",
        "1e3",
        "0x1",
        "abc",
        "1a",
        "9223372036854775808",
        "-9223372036854775809",
        "99999999999999999999",
        "18446744073709551616",
        "\u0661"
      })
  void refusesWhatIsNoIntegerOf64Bits(String text) {
    assertThat(Arithmetic.parseInteger(utf8(text))).isEmpty();
  }

  @Test
  void countsAsBigIntegersDoUpToTheLimit() {
    Random random = new Random(5);
    for (int i = 0; i < 20_000; i++) {
      long before = random.nextLong() >> random.nextInt(Long.SIZE);
      long delta = random.nextLong() >> random.nextInt(Long.SIZE);
      run(map, KeyCommand.Write.of(KEY, utf8(Long.toString(before))));
      BigInteger sum = BigInteger.valueOf(before).add(BigInteger.valueOf(delta));
      String expected = sum.bitLength() < Long.SIZE ? "Integer " + sum : "OVERFLOW";
      assertThat(text(run(map, new KeyCommand.Increment(KEY, delta))))
          .as("%d + %d", before, delta)
          .isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "10.50, 0.1, 10.6",
    "5.0e3, 2.0e2, 5200",
    "0, -5, -5",
    "3.0, 1.5, 4.5",
    "0.1, 0.2, 0.3",
    "1, -1, 0",
    "-0.5, 0.5, 0",
    "1e17, 1, 100000000000000001",
    "1.00000000000000000, 0.00000000000000001, 1.00000000000000001",
    "1, 1e-30, 1",
    "0x1F, 0, 31",
    "-0x1, -36.0, -37",
    "-0X.8p3, 0x1P-2, -3.75",
    "+0xfF.Fe, 0, 255.9921875",
    "0x0p99999999999999999999, 1, 1",
    "0x1p64, 0x1.8p-1, 18446744073709551616.75",
    "0x1p-16400, 1, 1",
    "0x10000000000000000000000000000000000000000000000000000000000000000p-256, 0, 1",
    "100, 0, 100"
  })
  void printsDecimalsAsRedisDoes(String before, String delta, String after) {
    run(map, KeyCommand.Write.of(KEY, utf8(before)));
    assertThat(text(run(map, new KeyCommand.IncrementDecimal(KEY, delta))))
        .isEqualTo("Decimal " + after);
    assertThat(text(run(map, new KeyCommand.Read(KEY)))).isEqualTo("Entry " + after);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "abc",
        "1 ",
        " 1",
        "nan",
        "1e99999",
        "1e-99999",
        "-1e-4951",
        "1.8e-4951",
        "1,5",
        "--1",
        "0x",
        "-0x",
        "0x.",
        "0xp1",
        "0x1p",
        "0x1p+",
        "0x1p-",
        "0x1p1.5",
        "0x1pf",
        "0xg",
        "0x1.2.3",
        "0x-1",
        "--0x1",
        "00x1",
        "0x1 ",
        " 0x1",
        "0x1p16384",
        "0x1p-16446",
        "0x1p-99999999999999999999",
        "0x\u0661"
      })
  void refusesWhatIsNoFiniteDecimal(String text) {
    run(map, KeyCommand.Write.of(KEY, utf8(text)));
    assertThat(run(map, new KeyCommand.IncrementDecimal(KEY, "1")))
        .isEqualTo(Outcome.Rejected.NOT_A_DECIMAL);
  }

  @ParameterizedTest
  @ValueSource(strings = {"inf", "-inf", "+Infinity"})
  void addsNothingToInfinity(String text) {
    run(map, KeyCommand.Write.of(KEY, utf8(text)));
    assertThat(run(map, new KeyCommand.IncrementDecimal(KEY, "1")))
        .isEqualTo(Outcome.Rejected.NOT_FINITE);
    assertThat(text(run(map, new KeyCommand.Read(KEY)))).isEqualTo("Entry " + text);
  }

  @Test
  void aSumOutOfRangeIsRefused() {
    run(map, KeyCommand.Write.of(KEY, utf8("9e4932")));
    assertThat(run(map, new KeyCommand.IncrementDecimal(KEY, "9e4932")))
        .isEqualTo(Outcome.Rejected.NOT_FINITE);
    assertThat(text(run(map, new KeyCommand.Read(KEY)))).isEqualTo("Entry 9e4932");
  }
}
