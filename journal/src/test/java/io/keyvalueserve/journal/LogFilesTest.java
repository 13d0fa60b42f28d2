package io.keyvalueserve.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Names of files are the same in all countries. */
class LogFilesTest {
  @Test
  @ResourceLock(Resources.LOCALE)
  void namesHaveTheSameDigitsWhateverTheLocale() {
    Locale before = Locale.getDefault();
    try {
      for (String tag : new String[] {"ar-EG", "fa-IR", "bn-BD", "ne-NP", "mr-IN", "my-MM"}) {
        Locale.setDefault(Locale.forLanguageTag(tag));
        String name = LogFiles.chunk(1_234_567_890);
        assertThat(name).as(tag).containsPattern("0+1234567890");
        assertThat(LogFiles.chunkOf(name.substring(name.lastIndexOf('/') + 1)))
            .hasValue(1_234_567_890);
      }
    } finally {
      Locale.setDefault(before);
    }
  }
}
