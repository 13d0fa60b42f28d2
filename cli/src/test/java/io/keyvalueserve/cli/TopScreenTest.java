package io.keyvalueserve.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopScreenTest {
  static final String TOP =
      """
      {"tenants":[
        {"tenant":"acme","operationsPerSecond":120,"bytesInPerSecond":2048,"bytesOutPerSecond":512,
         "throttled":7,"memoryBytes":1048576,"connections":3,"waitedMillisPerSecond":0.5,
         "longestWaitMillis":12.34,"behindMillisPerSecond":{"globex":0.4},
         "latency":{"requests":9,"p50Millis":0.125,"p99Millis":3.5,"p999Millis":9,"maxMillis":9}},
        {"tenant":"globex","operationsPerSecond":900,"bytesInPerSecond":1,"bytesOutPerSecond":1,
         "throttled":0,"memoryBytes":2,"connections":1,"waitedMillisPerSecond":0,
         "longestWaitMillis":0,"behindMillisPerSecond":{},
         "latency":{"requests":9,"p50Millis":1,"p99Millis":250.7,"p999Millis":9,"maxMillis":9}},
        {"tenant":"idle","operationsPerSecond":0,"bytesInPerSecond":0,"bytesOutPerSecond":0,
         "throttled":0,"memoryBytes":5,"connections":0,"waitedMillisPerSecond":0,
         "longestWaitMillis":0,"behindMillisPerSecond":{}}],
       "members":[
        {"uuid":"u1","address":"10.0.0.1:5801","name":"beta","local":true,"partitions":135,
         "state":"active","operationsPerSecond":700,"connections":3,"latency":{"p99Millis":1.5},
         "tiers":[{"name":"ram","capacityBytes":1073741824,"usedBytes":536870912}],
         "log":{"appendedBytesPerSecond":1024,"liveBytes":10240,"deadBytes":2048}},
        {"uuid":"u2","address":"10.0.0.2:5801","local":false,"partitions":136,"state":"silent"}],
       "silent":["10.0.0.2:5801"]}
      """;

  private final JsonNode top = read(TOP);
  private final TopState begin = TopState.begin(false);

  private static JsonNode read(String json) {
    try {
      return new ObjectMapper().readTree(json);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private List<String> lines(int width, int height, TopState state) {
    return TopScreen.of(top, width, height, state).lines();
  }

  @Test
  void showsTenantsWithTheBusiestFirst() {
    assertThat(lines(140, 10, begin))
        .containsExactly(
            "kvs top: 1020 ops/s, tenants 3, members 2",
            "TENANT  *OPS/S   P50   P99   IN/S  OUT/S  MEMORY  CONNS  THROTTLED  WAITED  LONGEST"
                + "  BEHIND",
            "globex     900  1.00   251    1 B    1 B     2 B      1          0    0.00     0.00",
            "acme       120  0.13  3.50  2 KiB  512 B   1 MiB      3          7    0.50     12.3"
                + "  globex 0.40",
            "idle         0     -     -    0 B    0 B     5 B      0          0    0.00     0.00",
            "member 10.0.0.2:5801 gave no answer",
            "",
            "",
            "",
            "q quit  m members  <- -> sort  r reverse  up/down scroll  p pause");
  }

  @Test
  void showsMembersAndWhatTheyDo() {
    assertThat(lines(140, 8, begin.after(TopKey.SWITCH)).subList(1, 4))
        .containsExactly(
            "*MEMBER        STATE   PARTITIONS  OPS/S   P99                MEMORY  LOG/S    LIVE"
                + "   DEAD  CONNS",
            "10.0.0.2:5801  silent         136      -     -                     -      -       -"
                + "      -      -",
            "beta           active         135    700  1.50  ram 512 MiB of 1 GiB  1 KiB  10 KiB"
                + "  2 KiB      3");
  }

  @Test
  void neverHasMoreOrLongerLinesThanTheTerminal() {
    for (int width = 1; width < 160; width += 3) {
      for (int height = 1; height < 12; height++) {
        TopState state = begin;
        for (TopKey key :
            List.of(
                TopKey.RIGHT, TopKey.LEFT, TopKey.LEFT, TopKey.SWITCH, TopKey.DOWN, TopKey.PAUSE)) {
          assertThat(lines(width, height, state)).hasSizeLessThanOrEqualTo(height);
          int most = width;
          assertThat(lines(width, height, state)).allMatch(line -> line.length() <= most);
          state = state.after(key);
        }
      }
    }
  }

  @Test
  void leavesOutWhatMattersLeastWhereTheTerminalIsNarrow() {
    assertThat(lines(40, 8, begin).get(1)).isEqualTo("TENANT  *OPS/S   P99  MEMORY  WAITED");
    assertThat(lines(20, 8, begin).get(1)).isEqualTo("TENANT  *OPS/S   P99");
    TopState byConnections = begin;
    for (int i = 0; i < 6; i++) {
      byConnections = byConnections.after(TopKey.RIGHT);
    }
    assertThat(lines(20, 8, byConnections).get(1)).contains("*CONNS");
  }

  @Test
  void sortsByTheColumnThatIsChosen() {
    TopState byP99 = begin.after(TopKey.RIGHT).after(TopKey.RIGHT);
    assertThat(firstWords(byP99)).containsExactly("globex", "acme", "idle");
    assertThat(firstWords(byP99.after(TopKey.REVERSE))).containsExactly("idle", "acme", "globex");
    assertThat(firstWords(begin.after(TopKey.LEFT))).containsExactly("acme", "globex", "idle");
    // Left of the first is the last.
    assertThat(firstWords(begin.after(TopKey.LEFT).after(TopKey.LEFT)).getLast()).isEqualTo("acme");
  }

  private List<String> firstWords(TopState state) {
    return lines(140, 8, state).subList(2, 5).stream()
        .map(line -> line.substring(0, line.indexOf(' ')))
        .toList();
  }

  @Test
  void scrollsNoFurtherThanThereAreRows() {
    TopState down = begin.after(TopKey.DOWN);
    TopScreen screen = TopScreen.of(top, 140, 6, down);
    assertThat(screen.lines().get(2)).startsWith("acme");
    assertThat(screen.lines().get(3)).startsWith("idle");
    assertThat(TopScreen.of(top, 140, 6, down.after(TopKey.DOWN).after(TopKey.DOWN)).state().from())
        .isEqualTo(1);
    assertThat(lines(140, 6, begin).get(4)).endsWith("1 more below");
    assertThat(TopScreen.of(top, 140, 30, down).state().from()).isZero();
  }

  @Test
  void saysThatItStandsStill() {
    assertThat(lines(140, 8, begin.after(TopKey.PAUSE)).getFirst()).endsWith("PAUSED");
    assertThat(lines(140, 8, begin.after(TopKey.PAUSE)).getLast()).endsWith("p go on");
  }

  @Test
  void saysThatATenantSeesNoMembers() {
    TopScreen screen =
        TopScreen.of(read("{\"tenants\":[],\"silent\":[]}"), 80, 6, begin.after(TopKey.SWITCH));
    assertThat(screen.lines()).contains("members are shown to operators");
  }

  @Test
  void aFrameErasesWhatWasThereBefore() {
    String frame = TopScreen.of(top, 70, 6, begin).frame(70);
    assertThat(frame).startsWith("\u001b[H").endsWith("\u001b[J");
    assertThat(frame.split("\r\n", -1)).hasSize(6);
    assertThat(frame).contains("\u001b[7mTENANT").doesNotContain("\n\u001b[J");
  }

  @Test
  void aNameCannotMoveTheCursor() {
    JsonNode hostile =
        read(
            "{\"tenants\":[],\"silent\":[\"a\\u001b[2J\"],\"members\":[{\"name\":\"x\\u001b[H\"}]}");
    assertThat(String.join("", TopScreen.of(hostile, 80, 8, TopState.begin(true)).lines()))
        .doesNotContain("\u001b")
        .contains("x?[H", "a?[2J");
  }

  @Test
  void readsLettersAndArrows() {
    TopKeys keys = new TopKeys();
    assertThat(keys.key('q')).isEqualTo(TopKey.QUIT);
    assertThat(keys.key(-1)).isEqualTo(TopKey.QUIT);
    assertThat(keys.key('x')).isNull();
    assertThat(typed(keys, "\u001b[C")).isEqualTo(TopKey.RIGHT);
    assertThat(typed(keys, "\u001bOA")).isEqualTo(TopKey.UP);
    assertThat(typed(keys, "\u001b[1;5D")).isEqualTo(TopKey.LEFT);
    assertThat(typed(keys, "\u001b\u001b[B")).isEqualTo(TopKey.DOWN);
    assertThat(typed(keys, "\u001bxm")).isEqualTo(TopKey.SWITCH);
    assertThat(keys.key('p')).isEqualTo(TopKey.PAUSE);
  }

  private static TopKey typed(TopKeys keys, String bytes) {
    TopKey last = null;
    for (int i = 0; i < bytes.length(); i++) {
      last = keys.key(bytes.charAt(i));
    }
    if (last == null) {
      throw new AssertionError("no key: " + bytes.length() + " bytes");
    }
    return last;
  }

  @Test
  void takesTheUsualSizeForOneThatIsNotKnown() {
    assertThat(FullScreen.Size.parse("40 132\n")).isEqualTo(new FullScreen.Size(132, 40));
    for (String said : new String[] {null, "", "0 0", "x y", "40"}) {
      assertThat(FullScreen.Size.parse(said)).isEqualTo(new FullScreen.Size(80, 24));
    }
  }
}
