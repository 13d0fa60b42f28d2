package io.keyvalueserve.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A process of this program's own that takes orders, a line of JSON each, and answers each with a
 * line. Not thread-safe.
 */
final class OrderedProcess implements AutoCloseable {
  /** What begins an answer: other lines are a library's. */
  static final String ANSWER = "answer ";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path log;
  private final Process process;
  private final BufferedWriter orders;
  private final BufferedReader answers;

  /**
   * Starts it.
   *
   * @param log for what it says on standard error
   * @param before what goes before its command
   * @param heap the option of its JVM
   */
  OrderedProcess(Path log, List<String> before, String heap, Class<?> main) {
    this(log, command(before, heap, main));
  }

  private static List<String> command(List<String> before, String heap, Class<?> main) {
    List<String> command = new ArrayList<>(before);
    command.addAll(Children.java(JvmOptions.with(List.of(heap)), main.getName(), List.of()));
    return command;
  }

  /**
   * Starts a program that takes orders.
   *
   * @param command all of it
   */
  OrderedProcess(Path log, List<String> command) {
    this.log = log;
    FileTree.make(log.resolveSibling(""));
    process = Children.start(new ProcessBuilder(command).redirectError(log.toFile()));
    orders = process.outputWriter();
    answers = process.inputReader();
  }

  /**
   * Answers orders until there are no more: the main method of such a process.
   *
   * @param <O> an order
   */
  static <O> void serve(Class<O> type, Function<O, ?> answer) throws IOException {
    PrintStream out = System.out;
    BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    for (String line; (line = orders.readLine()) != null; ) {
      out.println(ANSWER + JSON.writeValueAsString(answer.apply(JSON.readValue(line, type))));
      out.flush();
    }
    System.exit(0); // clients of some libraries would keep it
  }

  void send(Object order) {
    try {
      orders.write(JSON.writeValueAsString(order));
      orders.newLine();
      orders.flush();
    } catch (IOException e) {
      throw new BenchException("a load's process ended by itself; see " + log, e);
    }
  }

  /** Waits for the answer to an order. */
  <T> T answer(Class<T> type) {
    try {
      return JSON.readValue(next(ANSWER), type);
    } catch (JsonProcessingException e) {
      throw new BenchException("a load's process answered something else; see " + log, e);
    }
  }

  /** Waits for a line that begins so, and returns what follows there. */
  String next(String beginning) {
    try {
      for (String line; (line = answers.readLine()) != null; ) {
        if (line.startsWith(beginning)) {
          return line.substring(beginning.length());
        }
      }
    } catch (IOException e) {
      throw new BenchException("a load's process does not answer; see " + log, e);
    }
    throw new BenchException("a load's process ended by itself; see " + log);
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
