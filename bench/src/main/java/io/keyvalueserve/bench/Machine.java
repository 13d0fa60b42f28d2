package io.keyvalueserve.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The machine as the JVM sees it: within a container, the container. */
final class Machine {
  private Machine() {}

  /** All of its memory, in bytes. */
  static long memoryBytes() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }

  /** The memory that nobody uses, not even for copies of what is on disks, in bytes. */
  static long freeBytes() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getFreeMemorySize();
  }

  /** Operating system and Java. */
  static String describe() {
    return System.getProperty("os.name")
        + " "
        + System.getProperty("os.version")
        + "; Java "
        + System.getProperty("java.version");
  }
}
