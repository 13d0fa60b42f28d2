package io.keyvalueserve.billing.metering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.Persistence;
import io.keyvalueserve.tenancy.QualifiedName;
import io.keyvalueserve.tenancy.TenantName;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class UsageEventCodecTest {
  private static final TenantName ACME = new TenantName("acme");
  private static final UsageEvent EVENT =
      new UsageEvent(
          new UsageIdentity(
              new UUID(1, 2),
              3,
              300,
              ACME,
              7,
              new QualifiedName(ACME, new MapName("orders")),
              SharingLevel.RESERVED_MAP,
              29_000_000),
          UsageQuantities.of(Map.of(Measure.READS, 1L, Measure.RESIDENT_BYTES, 60_000_000_000L)));

  private static final String BYTES =
      "01" // version
          + "00000000000000010000000000000002" // member
          + "03" // incarnation
          + "ac02" // interval
          + "07" // tenant's number
          + "000461636d65" // tenant
          + "01000461636d6500066f7264657273" // map
          + "02" // sharing
          + "c082ea0d" // minute
          + "8102" // measures of the codes 1 and 9
          + "01" // reads
          + "80b09dc2df01"; // byte-seconds

  static UsageEvent random(Random random) {
    EnumMap<Measure, Long> quantities = new EnumMap<>(Measure.class);
    for (Measure measure : Measure.values()) {
      if (random.nextInt(3) == 0) {
        quantities.put(measure, random.nextLong() >>> (1 + random.nextInt(63)));
      }
    }
    quantities.put(Measure.WRITES, 1L + random.nextInt(100)); // something is not 0
    QualifiedName map = null;
    if (random.nextInt(4) > 0) {
      char odd = (char) (0x20 + random.nextInt(0xffdf));
      String name = MapName.isValid("m" + odd) ? "m" + odd : "m";
      map = new QualifiedName(new TenantName("t" + random.nextInt(100)), new MapName(name));
    }
    return new UsageEvent(
        new UsageIdentity(
            new UUID(random.nextLong(), random.nextLong()),
            random.nextLong() >>> (1 + random.nextInt(63)),
            random.nextLong() >>> (1 + random.nextInt(63)),
            new TenantName("t" + random.nextInt(100)),
            1 + random.nextInt(Integer.MAX_VALUE - 1),
            map,
            SharingLevel.ofCode(1 + random.nextInt(3)),
            Persistence.ofCode(random.nextInt(5)),
            random.nextLong(UsageIdentity.MOST_MINUTE + 1)),
        UsageQuantities.of(quantities));
  }

  /** Events of today are read by programs of tomorrow. */
  @Test
  void formIsStable() throws Exception {
    assertThat(HexFormat.of().formatHex(UsageEventCodec.encode(EVENT))).isEqualTo(BYTES);
    assertThat(UsageEventCodec.decode(HexFormat.of().parseHex(BYTES))).isEqualTo(EVENT);
  }

  /**
   * How a map is kept is told in a second version, so that ledgers from before stay as they are.
   */
  @Test
  void theFormWithAPersistenceIsStable() throws Exception {
    UsageIdentity of = EVENT.identity();
    UsageEvent durable =
        new UsageEvent(
            new UsageIdentity(
                of.member(),
                of.incarnation(),
                of.interval(),
                of.tenant(),
                of.tenantNumber(),
                of.map(),
                of.sharing(),
                Persistence.DURABLE,
                of.minute()),
            EVENT.quantities());
    String bytes = BYTES.replaceFirst("^01", "02").replace("02c082", "0204c082");
    assertThat(HexFormat.of().formatHex(UsageEventCodec.encode(durable))).isEqualTo(bytes);
    assertThat(UsageEventCodec.decode(HexFormat.of().parseHex(bytes))).isEqualTo(durable);
    assertThat(durable.identity().text()).isEqualTo(of.text() + ":durable");
    assertThatThrownBy(
            () ->
                UsageEventCodec.decode(
                    HexFormat.of().parseHex(bytes.replace("0204c082", "0200c082"))))
        .as("the default has the first version alone")
        .isInstanceOf(MalformedUsageException.class);
    assertThatThrownBy(
            () ->
                UsageEventCodec.decode(
                    HexFormat.of().parseHex(bytes.replace("0204c082", "0207c082"))))
        .isInstanceOf(MalformedUsageException.class);
  }

  @Test
  void codesAndLabelsAreStable() {
    assertThat(Arrays.stream(Measure.values()).map(each -> each.code() + each.quantityLabel()))
        .containsExactly(
            "1reads",
            "2writes",
            "3deletes",
            "4queries",
            "5locks",
            "6transactions",
            "7bytesIn",
            "8bytesOut",
            "9residentByteSeconds",
            "10spilledByteSeconds",
            "11logBytes",
            "12connectionSeconds",
            "13mapReservationSeconds",
            "14memberReservationSeconds",
            "15throttled",
            "16refused",
            "17hibernatedByteSeconds");
    for (Measure measure : Measure.values()) {
      assertThat(Measure.ofCode(measure.code())).isEqualTo(measure);
      assertThat(Measure.ofLabel(measure.label())).isEqualTo(measure);
    }
    assertThat(Arrays.stream(SharingLevel.values()).map(each -> each.code() + each.label()))
        .containsExactly("1shared", "2reservedMap", "3reservedMember");
    assertThat(EVENT.identity().text())
        .isEqualTo("00000000-0000-0001-0000-000000000002:3:300:7:acme/orders:reservedMap:29000000");
  }

  @Property(tries = 1_000)
  void readsBackWhatItWrote(@ForAll Random random) throws Exception {
    UsageEvent event = random(random);
    assertThat(UsageEventCodec.decode(UsageEventCodec.encode(event))).isEqualTo(event);
  }

  /** Random bytes and changed events: an exception of its own, or exactly that event's bytes. */
  @Property(tries = 500)
  void hasNoOtherAnswerToGarbage(@ForAll Random random) {
    for (int i = 0; i < 100; i++) {
      byte[] bytes = i % 8 == 0 ? noise(random) : mutated(random, random(random));
      try {
        UsageEvent event = UsageEventCodec.decode(bytes);
        assertThat(UsageEventCodec.encode(event)).as("one form").isEqualTo(bytes);
      } catch (MalformedUsageException e) {
        assertThat(e).hasMessageStartingWith("not a usage event: ");
      }
    }
  }

  private static byte[] noise(Random random) {
    byte[] bytes = new byte[random.nextInt(200)];
    random.nextBytes(bytes);
    if (bytes.length > 0 && random.nextBoolean()) {
      bytes[0] = 1;
    }
    return bytes;
  }

  private static byte[] mutated(Random random, UsageEvent event) {
    byte[] bytes = UsageEventCodec.encode(event);
    int at = random.nextInt(bytes.length);
    return switch (random.nextInt(3)) {
      case 0 -> Arrays.copyOf(bytes, at);
      case 1 -> Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(9));
      default -> {
        bytes[at] = (byte) random.nextInt();
        yield bytes;
      }
    };
  }

  @Test
  void saysWhatIsTheMatter() {
    assertMalformed("", "ends too soon");
    assertMalformed(BYTES.replaceFirst("^01", "03"), "version 3");
    assertMalformed(BYTES.substring(0, 60), "ends too soon, after 30 bytes");
    assertMalformed(BYTES + "00", "more follows");
    assertMalformed(BYTES.replace("ac02", "ac8200"), "one form");
    assertMalformed(BYTES.replace("ac02", "ffffffffffffffffff01"), "63 bits");
    assertMalformed(BYTES.replace("0461636d65", "0441636d65"), "tenant");
    assertMalformed(BYTES.replace("02c082ea0d", "04c082ea0d"), "sharing level has the code 4");
    assertMalformed(BYTES.replace("810201", "81820801"), "does not know");
    assertMalformed(BYTES.replace("c082ea0d", "ffffffffff0f"), "minute is 0 to");
  }

  private static void assertMalformed(String hex, String reason) {
    assertThatThrownBy(() -> UsageEventCodec.decode(HexFormat.of().parseHex(hex)))
        .isInstanceOf(MalformedUsageException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void fieldsOutOfRangeAreNamed() {
    assertThatThrownBy(() -> UsageQuantities.of(Map.of(Measure.RESIDENT_BYTES, -1L)))
        .hasMessage("residentByteSeconds is 0 or more: -1");
    assertThatThrownBy(
            () -> new UsageEvent(EVENT.identity(), UsageQuantities.of(Map.of(Measure.READS, 0L))))
        .hasMessageContaining("at least one quantity");
    assertThatThrownBy(
            () -> new UsageIdentity(new UUID(1, 2), 0, -1, ACME, 1, null, SharingLevel.SHARED, 0))
        .hasMessage("interval is 0 or more: -1");
  }
}
