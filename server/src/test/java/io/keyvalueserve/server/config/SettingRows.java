package io.keyvalueserve.server.config;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** The settings, for tests of other packages that compare something with all of them. */
public final class SettingRows {
  private SettingRows() {}

  /** Returns the path of each setting, with its default as text. */
  public static Map<String, String> defaults() {
    return Arrays.stream(Setting.values())
        .collect(Collectors.toMap(Setting::path, Setting::defaultText));
  }
}
