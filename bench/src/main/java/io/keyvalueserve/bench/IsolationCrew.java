package io.keyvalueserve.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The process of the aggressors. It runs where the bench runs. Beside a victim it is scheduled as
 * idle work is: the victim's threads, which sleep most of the time, have the core as soon as they
 * wake up. Low priority alone would not do: Linux lets whoever runs keep the core for a millisecond
 * then.
 */
final class IsolationCrew implements AutoCloseable {
  private static final Path POLICY = Path.of("/usr/bin/chrt");
  private static final String HEAP = "-Xmx768m";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path log;
  private final Process process;
  private final BufferedWriter orders;
  private final BufferedReader answers;

  /**
   * Starts it.
   *
   * @param log for what it says
   * @param polite whether it is scheduled as idle work is
   * @param before what goes before its command
   */
  IsolationCrew(Path log, boolean polite, List<String> before) {
    this.log = log;
    List<String> command = new ArrayList<>(before);
    if (polite && Files.isExecutable(POLICY)) {
      command.addAll(List.of(POLICY.toString(), "--idle", "0"));
    }
    command.addAll(
        Children.java(JvmOptions.with(List.of(HEAP)), IsolationLoad.class.getName(), List.of()));
    try {
      Files.createDirectories(log.resolveSibling(""));
    } catch (IOException e) {
      throw new BenchException("no room for the aggressors' output: " + log, e);
    }
    process = Children.start(new ProcessBuilder(command).redirectError(log.toFile()));
    orders = process.outputWriter();
    answers = process.inputReader();
  }

  /** Has a step done by all of them at the same time, and waits for it. */
  List<IsolationDone> call(IsolationOrder.Step step, List<IsolationOrder> all) {
    send(all.stream().map(order -> order.step(step)).toList());
    return receive();
  }

  /** Has all of them begin, and returns when they are at work. */
  void begin(List<IsolationOrder> all) {
    send(all.stream().map(order -> order.step(IsolationOrder.Step.RUN)).toList());
    next(IsolationLoad.BEGUN);
  }

  /** Says when what they do counts, and when it is over. */
  void during(IsolationTally.Times times) {
    send(times);
  }

  /**
   * Waits until all have ended, and returns what they did, in the order of their orders.
   *
   * @throws BenchException if one could not
   */
  List<IsolationDone> receive() {
    try {
      List<IsolationDone> done =
          List.of(JSON.readValue(next(IsolationLoad.ANSWER), IsolationDone[].class));
      for (IsolationDone one : done) {
        if (!one.failure().isEmpty()) {
          throw new BenchException("an aggressor failed: " + one.failure());
        }
      }
      return done;
    } catch (JsonProcessingException e) {
      throw new BenchException("the process of the aggressors answered something else", e);
    }
  }

  private void send(Object what) {
    try {
      orders.write(JSON.writeValueAsString(what));
      orders.newLine();
      orders.flush();
    } catch (IOException e) {
      throw new BenchException("the process of the aggressors ended by itself; see " + log, e);
    }
  }

  /** What follows on the next line that begins so. */
  private String next(String beginning) {
    try {
      for (String line; (line = answers.readLine()) != null; ) {
        if (line.startsWith(beginning)) {
          return line.substring(beginning.length());
        }
      }
    } catch (IOException e) {
      throw new BenchException("the process of the aggressors does not answer; see " + log, e);
    }
    throw new BenchException("the process of the aggressors ended by itself; see " + log);
  }

  /** The processor time it has used, in nanoseconds. */
  long cpuNanos() {
    return Children.cpuNanos(process);
  }

  @Override
  public void close() {
    Children.end(process);
  }
}
