package io.keyvalueserve.lua;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run is charged for is no less than what it takes of the Java heap. */
class MemoryTest {
  private static final long NOISE = 300_000;

  /** Returns the bytes in use, after collections that find no more garbage. */
  private static long heap() {
    Runtime r = Runtime.getRuntime();
    long before = Long.MAX_VALUE;
    while (true) {
      System.gc();
      long now = r.totalMemory() - r.freeMemory();
      if (now > before - NOISE / 10) {
        return now;
      }
      before = now;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "local t = {} for i = 1, 50000 do t[i] = i + 0.5 end",
        "local t = {} for i = 1, 30000 do t[i * 3] = i + 0.5 end",
        "local t = {} for i = 1, 30000 do t['k' .. i] = i + 0.5 end",
        "local t = {} for i = 1, 20000 do t[i] = {i + 0.1, i + 0.2, x = i + 0.3} end",
        "local t = {} for i = 1, 20000 do local j = i t[i] = function() return j end end",
        "local t = {} for i = 1, 3000 do local f = coroutine.wrap(function() coroutine.yield() end)"
            + " f() t[i] = f end",
        "local t = {} for i = 1, 3000 do t[i] = ('x'):gmatch('.') end",
        "local t = {} for i = 1, 1000 do t[i] = loadstring('return function() return a.b.c end') end",
        "local t = {} for i = 1, 1000 do t[i] = loadstring(('x=1 '):rep(30)) end",
        "local t = cjson.decode('[' .. ('{\"a\":1,\"b\":[1,2]},'):rep(5000) .. '1]')"
      })
  void chargeIsNoLessThanTheHeap(String source) {
    long[] heapAndCharge = new long[2];
    Environment environment =
        new Environment()
            .function(
                "test",
                "measure",
                (context, arguments) -> {
                  heapAndCharge[0] += heap();
                  heapAndCharge[1] = context.budget().alive();
                  return new LuaValue[0];
                });
    Script script = Scripts.compile(source + " test.measure() return t");
    Budget budget = new Budget(Long.MAX_VALUE, 1 << 28, Duration.ofMinutes(1), 1000, 10_000);
    heapAndCharge[0] = -heap();
    assertThat(script.run(environment, budget)).hasSize(1);
    assertThat(heapAndCharge[1]).isGreaterThan(heapAndCharge[0] - NOISE);
  }
}
