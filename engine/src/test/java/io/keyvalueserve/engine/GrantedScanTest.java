package io.keyvalueserve.engine;

import static io.keyvalueserve.engine.Batches.await;
import static io.keyvalueserve.engine.Batches.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyvalueserve.engine.KeyMap.ScanPage;
import io.keyvalueserve.tenancy.Identity;
import io.keyvalueserve.tenancy.MapName;
import io.keyvalueserve.tenancy.TenantName;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How much a scan of a part asks of the map; what it tells is in {@link KeyMapContract}. */
class GrantedScanTest {
  private final KeyMap map =
      new MapEngine(new TurnedClock(0))
          .space(new Identity(new TenantName("acme"), 1, "key"))
          .map(MapName.DEFAULT);

  /** The pages that were asked of the map. */
  private final List<ScanPage> pages = new ArrayList<>();

  private final KeyMap watched =
      (KeyMap)
          Proxy.newProxyInstance(
              KeyMap.class.getClassLoader(),
              new Class<?>[] {KeyMap.class},
              (proxy, method, arguments) -> {
                Object result = method.invoke(map, arguments);
                if (result instanceof CompletionStage<?> stage
                    && await(stage) instanceof ScanPage page) {
                  pages.add(page);
                }
                return result;
              });

  private void fill(int count, int keyBytes) {
    run(
        map,
        IntStream.range(0, count)
            .mapToObj(
                i ->
                    KeyCommand.Write.of(
                        ByteBuffer.allocate(keyBytes).putInt(i).array(), new byte[0]))
            .toList());
  }

  private ScanPage scan(int count, boolean mayTell) {
    return await(new GrantedScan(watched, count, GlobPattern.ANY, key -> mayTell).from(0));
  }

  @Test
  void asksForNoMoreThanItTells() {
    fill(2_000, 8);
    assertThat(scan(10, true).keys()).hasSizeBetween(10, 20);
    assertThat(pages).hasSize(1);
    assertThat(pages.getFirst().keys()).hasSizeBetween(10, 20);
  }

  @Test
  void asksForMoreAtATimeTheLongerItFindsNothing() {
    fill(20_000, 8);
    assertThat(scan(1, false)).isEqualTo(new ScanPage(0, List.of()));
    assertThat(pages).hasSizeLessThan(100);
    assertThat(pages).allMatch(page -> page.keys().size() < GrantedScan.MOST_KEYS + 20);
  }

  @Test
  void asksForFewerAtATimeWhereKeysAreLong() {
    fill(100, 100_000);
    assertThat(scan(1, false)).isEqualTo(new ScanPage(0, List.of()));
    assertThat(pages).allMatch(page -> page.keys().size() < 10);
  }
}
