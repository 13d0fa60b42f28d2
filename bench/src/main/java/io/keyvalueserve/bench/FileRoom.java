package io.keyvalueserve.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How many files and connections the processes of a bench may open.
 *
 * @param limit the most that each may open
 * @param before what goes before the command of a process so that it may
 */
record FileRoom(long limit, List<String> before) {
  private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");

  /**
   * Returns room for a number of files, or as much as there is: the limit is raised for child
   * processes if it is too low and this process may do that.
   */
  static FileRoom wanting(long files) {
    long limit = OpenFiles.own().limit();
    if (limit >= files) {
      return new FileRoom(limit, List.of());
    }
    List<String> raising = List.of(PRLIMIT.toString(), "--nofile=" + files + ":" + files);
    return Files.isExecutable(PRLIMIT) && works(raising)
        ? new FileRoom(files, raising)
        : new FileRoom(limit, List.of());
  }

  private static boolean works(List<String> raising) {
    List<String> command = new ArrayList<>(raising);
    command.add("/bin/true");
    return Children.run(command).exit() == 0;
  }
}
