package io.keyvalueserve.store;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * A tree driven by bytes beside a plain set, as a target for Jazzer: see {@link TableFuzzTargets}.
 */
public class ByteTreeFuzzTargets {
  @FuzzTest(maxDuration = "15s")
  void program(byte[] input) {
    ByteTreeProgram.run(input);
  }
}
