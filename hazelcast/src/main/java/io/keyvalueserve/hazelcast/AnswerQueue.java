package io.keyvalueserve.hazelcast;

import com.hazelcast.client.impl.protocol.ClientMessage;
import com.hazelcast.internal.networking.Channel;
import com.hazelcast.internal.networking.OutboundFrame;
import com.hazelcast.internal.networking.nio.NioOutboundPipeline;
import java.lang.reflect.Field;
import java.util.AbstractQueue;
import java.util.Iterator;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Answers and events that wait to be written to a client: the queue of a pipeline, with a count of
 * what it keeps on the Java heap. Any thread offers; the thread that has the pipeline polls.
 *
 * <p>A frame counts until {@link ReplyEncoder} has written it, which is after it was polled.
 */
final class AnswerQueue extends AbstractQueue<OutboundFrame> {
  /** A message: the object, its place in the queue. */
  static final long MESSAGE_BYTES = 96;

  /** A frame of a message: the object, its array's header, padding. */
  static final long FRAME_BYTES = 48;

  private static final Field QUEUE = field("writeQueue");
  private static final Field URGENT_QUEUE = field("priorityWriteQueue");

  private final ConcurrentLinkedQueue<OutboundFrame> frames = new ConcurrentLinkedQueue<>();
  private final UnreadAnswers.OfConnection unread;

  AnswerQueue(UnreadAnswers.OfConnection unread) {
    this.unread = unread;
  }

  /** Has a channel that was not started use such queues. */
  static void install(Channel channel, UnreadAnswers.OfConnection unread) {
    NioOutboundPipeline pipeline = (NioOutboundPipeline) channel.outboundPipeline();
    try {
      QUEUE.set(pipeline, new AnswerQueue(unread));
      URGENT_QUEUE.set(pipeline, new AnswerQueue(unread));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("the queues of a connection cannot be counted", e);
    }
  }

  private static Field field(String name) {
    try {
      Field field = NioOutboundPipeline.class.getDeclaredField(name);
      field.setAccessible(true); // it is final
      return field;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("Hazelcast has no NioOutboundPipeline#" + name, e);
    }
  }

  /** Returns about how many bytes of the Java heap a frame takes. */
  static long bytesOf(OutboundFrame frame) {
    if (frame instanceof ClientMessage message) {
      long bytes = MESSAGE_BYTES;
      for (ClientMessage.Frame each = message.getStartFrame(); each != null; each = each.next) {
        bytes += FRAME_BYTES + each.content.length;
      }
      return bytes;
    }
    return MESSAGE_BYTES
        + (frame instanceof ReplyFrame reply ? reply.capacity() : frame.getFrameLength());
  }

  /** Takes a frame, unless the client is cut off. */
  @Override
  public boolean offer(OutboundFrame frame) {
    if (!unread.add(bytesOf(frame))) {
      return false;
    }
    boolean _ = frames.offer(frame);
    if (unread.hasEnded()) { // it may have been emptied before
      frames.clear();
    }
    return true;
  }

  @Override
  public @Nullable OutboundFrame poll() {
    return frames.poll();
  }

  @Override
  public @Nullable OutboundFrame peek() {
    return frames.peek();
  }

  @Override
  public boolean isEmpty() {
    return frames.isEmpty();
  }

  @Override
  public int size() {
    return frames.size();
  }

  /** Called when the connection is closed, which gives back all that was counted. */
  @Override
  public void clear() {
    boolean _ = unread.end();
    frames.clear();
  }

  @Override
  public Iterator<OutboundFrame> iterator() {
    return frames.iterator();
  }
}
