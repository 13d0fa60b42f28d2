package io.keyvalueserve.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class CellTest {
  private static final Shape SHAPE = new Shape(1, 1, 1, Mix.of("get"), 0);

  @Test
  void takesTheMedianOfEachRoundsRatioNotTheRatioOfMedians() {
    Cell own = cell("kvs", 10, 40, 60);
    Cell peer = cell("redis", 20, 20, 20);
    assertThat(own.median(Window::serverCpuMicros)).isEqualTo(40);
    assertThat(own.ratio(peer, Window::serverCpuMicros)).isEqualTo(2);
    Cell noisy = cell("redis", 10, 80, 20); // noise that met both in a round falls out
    assertThat(own.ratio(noisy, Window::serverCpuMicros)).isEqualTo(1);
  }

  @Test
  void takesTheMiddleOfTwoWhenRoundsAreEven() {
    assertThat(cell("kvs", 10, 20, 40, 80).median(Window::serverCpuMicros)).isEqualTo(30);
  }

  @Test
  void countsAsSoWhatMostRoundsAre() {
    Cell cell = cell("kvs", 1, 1, 9);
    assertThat(cell.mostly(window -> window.serverCpuMicros() < 5)).isTrue();
    assertThat(cell.mostly(window -> window.serverCpuMicros() > 5)).isFalse();
    assertThat(cell("kvs", 1, 9).mostly(window -> window.serverCpuMicros() < 5)).isFalse();
  }

  @Test
  void tellsFiguresOfAWindow() {
    Costs costs = new Costs(500_000_000, 0, 250_000_000, new CoreTimes(520_000_000, 250_000_000));
    Window window = new Window(List.of(100L, 300L), 1_000_000_000, costs, 1, new Histogram(3));
    assertThat(window.operationsPerSecond()).isEqualTo(400);
    assertThat(window.slowestPerSecond()).isEqualTo(100);
    assertThat(window.serverCpuMicros()).isEqualTo(1250);
    assertThat(window.serverBusy()).isEqualTo(0.5);
    assertThat(window.others()).isCloseTo(0.02, within(1e-9));
    assertThat(window.isLoadBound()).isFalse();
    assertThat(window.isDisturbed()).isFalse();
  }

  @Test
  void tellsWhenTheLoadIsTheLimit() {
    assertThat(busy(500, 990, 500).isLoadBound()).isTrue();
    assertThat(busy(990, 990, 990).isLoadBound()).as("the server is, too").isFalse();
    assertThat(busy(500, 800, 500).isLoadBound()).as("neither is").isFalse();
  }

  @Test
  void missesARateOnlyIfTheLoadDidNot() {
    assertThat(answered(990, 500).isRateMissed()).isFalse();
    assertThat(answered(970, 990).isRateMissed()).isTrue();
    Window idle = answered(970, 500);
    assertThat(idle.isRateMissed()).as("the server had time, the load had none").isFalse();
    assertThat(idle.isLoadBound()).isTrue();
    assertThat(answered(1000, 500).isLoadBound()).as("it looks for replies all the time").isFalse();
  }

  /** A second in which so many of 1,000 were answered, and the server's core was so busy. */
  private static Window answered(long operations, long core) {
    Window busy = busy(core, 990, core);
    return new Window(
        List.of(operations),
        busy.nanos(),
        busy.costs(),
        1,
        busy.latencies(),
        new Offer(1000, new Histogram(3)));
  }

  @Test
  void tellsWhenOthersTookTheServersCore() {
    assertThat(busy(500, 300, 590).isDisturbed()).isFalse();
    assertThat(busy(500, 300, 610).isDisturbed()).isTrue();
  }

  /** A second in which server, load and the server's core were busy for so many milliseconds. */
  private static Window busy(long server, long load, long core) {
    long milli = 1_000_000;
    CoreTimes cores = new CoreTimes(core * milli, load * milli);
    Costs costs = new Costs(server * milli, 0, load * milli, cores);
    return new Window(List.of(1L), 1000 * milli, costs, 1, new Histogram(3));
  }

  private static Cell cell(String server, long... cpuMicros) {
    Cell cell = new Cell(SHAPE, server);
    for (long micros : cpuMicros) {
      Costs costs = new Costs(micros * 1000, 0, 0, new CoreTimes(0, 0));
      cell.rounds().add(new Window(List.of(1L), 1_000_000_000, costs, 1, new Histogram(3)));
    }
    return cell;
  }
}
