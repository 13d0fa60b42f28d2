package io.keyvalueserve.resp.watch;

import java.util.Arrays;

/** The sessions that watch the requests of one tenant at one member. Thread-safe. */
public final class Monitors {
  /** The most sessions of a tenant that watch at a member: each costs what all requests cost. */
  public static final int MOST = 16;

  private static final Feed[] NONE = {};

  private volatile Feed[] feeds = NONE;

  /** A session that watches. */
  public interface Feed {
    /**
     * Takes a line, and does not block. Any thread.
     *
     * @param line in ASCII, without its end; not changed by anyone
     */
    void show(String line);
  }

  /** Returns whether nobody watches. */
  public boolean isEmpty() {
    return feeds.length == 0;
  }

  /** Adds a session, which is not there yet; returns false if there are {@link #MOST} already. */
  public synchronized boolean add(Feed feed) {
    if (feeds.length == MOST) {
      return false;
    }
    Feed[] more = Arrays.copyOf(feeds, feeds.length + 1);
    more[feeds.length] = feed;
    feeds = more;
    return true;
  }

  /** Removes a session if it is there. */
  public synchronized void remove(Feed feed) {
    Feed[] rest = Arrays.stream(feeds).filter(each -> !each.equals(feed)).toArray(Feed[]::new);
    feeds = rest.length == 0 ? NONE : rest;
  }

  /** Shows a line to all of them. */
  public void show(String line) {
    for (Feed feed : feeds) {
      feed.show(line);
    }
  }
}
