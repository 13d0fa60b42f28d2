package io.keyvalueserve.resp.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyvalueserve.engine.TransactionView;
import io.keyvalueserve.resp.protocol.Reply;
import io.keyvalueserve.resp.protocol.Request;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Notes the changes of keys by the steps of a transaction. */
public final class Noting {
  private Noting() {}

  /**
   * Carries a step out.
   *
   * @param messages gets the messages about the keys that it changes
   */
  public static Reply run(
      TransactionView view,
      Client client,
      Command command,
      Request request,
      List<OutgoingMessage> messages,
      TransactionStep step) {
    KeyEvents events = KeyEvents.over(view, client, messages);
    events.begin(command, request);
    Reply reply = step.run(events);
    events.end();
    return reply;
  }

  /** Returns the messages about a key that has expired, or was evicted. */
  public static List<OutgoingMessage> ofRemoval(NoticeTarget target, byte[] key, boolean expired) {
    return expired
        ? messages(target, key, NotifyFlags.EXPIRED, "expired")
        : messages(target, key, NotifyFlags.EVICTED, "evicted");
  }

  /**
   * Returns the messages about an event that its target is told of.
   *
   * @param kind the bit of the event in {@link NoticeTarget#flags}
   */
  static List<OutgoingMessage> messages(NoticeTarget target, byte[] key, int kind, String event) {
    List<OutgoingMessage> messages = new ArrayList<>(2);
    if ((target.flags() & kind) != 0) {
      byte[] name = event.getBytes(UTF_8);
      if ((target.flags() & NotifyFlags.KEYSPACE) != 0) {
        messages.add(message(target, "__keyspace@", key, name));
      }
      if ((target.flags() & NotifyFlags.KEYEVENT) != 0) {
        messages.add(message(target, "__keyevent@", name, key));
      }
    }
    return messages;
  }

  private static OutgoingMessage message(
      NoticeTarget target, String kind, byte[] channel, byte[] payload) {
    byte[] head = (kind + target.database() + "__:").getBytes(UTF_8);
    byte[] name = Arrays.copyOf(head, head.length + channel.length);
    System.arraycopy(channel, 0, name, head.length, channel.length);
    return new OutgoingMessage(target.tenant(), false, name, payload);
  }
}
