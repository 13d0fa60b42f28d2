package io.keyvalueserve.grid.question;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.spi.impl.NodeEngine;
import io.keyvalueserve.grid.PassingFailures;
import io.keyvalueserve.grid.member.DataMembers;
import io.keyvalueserve.tenancy.HostPort;
import io.keyvalueserve.tenancy.log.LogLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts questions to members that hold data: to all of them, itself included, or to one.
 * Thread-safe.
 */
public final class Questioner {
  private static final Logger LOG = LoggerFactory.getLogger(Questioner.class);

  /** A member that starts is asked again and again. */
  private static final LogLimit SILENT = LogLimit.aMinute(10);

  private static final String SERVICE = "hz:impl:mapService"; // any that all members have

  private final NodeEngine nodeEngine;

  /** One that asks for this member. */
  public Questioner(NodeEngine nodeEngine) {
    this.nodeEngine = nodeEngine;
  }

  private record Asked(String member, CompletableFuture<String> answer) {}

  /**
   * Asks all members that hold data at once. Blocks.
   *
   * @param patience how long to wait for all of them together
   * @return an answer for each member, the oldest first
   */
  public List<MemberAnswer> ask(String topic, String question, Duration patience) {
    List<Asked> asked = new ArrayList<>();
    for (Member member : DataMembers.of(nodeEngine)) {
      CompletableFuture<String> answer =
          nodeEngine
              .getOperationService()
              .createInvocationBuilder(
                  SERVICE, new MemberQuestion(topic, question), member.getAddress())
              .setCallTimeout(patience.toMillis())
              .setTryCount(1)
              .<String>invoke()
              .toCompletableFuture();
      asked.add(
          new Asked(
              HostPort.of(member.getAddress().getHost(), member.getAddress().getPort()), answer));
    }
    long deadline = System.nanoTime() + patience.toNanos();
    List<MemberAnswer> answers = new ArrayList<>();
    for (Asked each : asked) {
      answers.add(await(each, Math.max(0, deadline - System.nanoTime())));
    }
    return answers;
  }

  /** Asks one member, without waiting for the answer. */
  public CompletableFuture<String> ask(
      String topic, String question, Address member, int patienceMillis) {
    return nodeEngine
        .getOperationService()
        .createInvocationBuilder(SERVICE, new MemberQuestion(topic, question), member)
        .setCallTimeout(patienceMillis)
        .setTryCount(1)
        .<String>invoke()
        .toCompletableFuture();
  }

  private static MemberAnswer await(Asked asked, long nanos) {
    try {
      return new MemberAnswer(asked.member(), asked.answer().get(nanos, TimeUnit.NANOSECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      boolean passes = PassingFailures.has(e); // it starts, or is lost: that is told elsewhere
      long before = passes ? -1 : SILENT.take();
      if (passes) {
        LOG.debug("member {} gave no answer: {}", asked.member(), e.toString());
      } else if (before >= 0) {
        LOG.warn(
            "member {} gave no answer: {}; lines left out before: {}",
            asked.member(),
            e.toString(),
            before);
      }
    }
    return new MemberAnswer(asked.member(), null);
  }
}
