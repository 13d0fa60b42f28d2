package io.keyvalueserve.grid.question;

import com.hazelcast.config.Config;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.NodeEngineImpl;
import io.keyvalueserve.maps.message.MemberMessage;
import java.io.IOException;

/** Puts a question to one member, which answers on a thread that may block. */
public final class MemberQuestion extends MemberMessage {
  /** The factory's number in a member's configuration: "kvq" in ASCII. */
  private static final int FACTORY_ID = 0x6b7671;

  private String topic = "";
  private String question = "";

  /** Creates an empty question for deserialization. */
  public MemberQuestion() {
    super(FACTORY_ID);
  }

  MemberQuestion(String topic, String question) {
    this();
    this.topic = topic;
    this.question = question;
  }

  /** A member's node extension, as far as it takes questions. */
  public interface Receiver {
    /** Returns the functions that answer questions on this member. */
    Answerers answerers();
  }

  /** Makes a member understand questions; before it starts. */
  public static void register(Config config) {
    register(config, FACTORY_ID, MemberQuestion::new);
  }

  @Override
  public void run() {
    NodeEngineImpl nodeEngine = (NodeEngineImpl) getNodeEngine();
    Answerers answerers = ((Receiver) nodeEngine.getNode().getNodeExtension()).answerers();
    Thread _ =
        Thread.ofVirtual()
            .name("kvs-answer-" + topic)
            .start(
                () -> {
                  try {
                    sendResponse(answerers.answer(topic, question));
                  } catch (RuntimeException e) {
                    sendResponse(new RetryableHazelcastException(String.valueOf(e.getMessage())));
                  }
                });
  }

  @Override
  public boolean returnsResponse() {
    return false; // it comes later
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeString(topic);
    out.writeString(question);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    topic = text(in);
    question = text(in);
  }
}
