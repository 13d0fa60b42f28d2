package io.keyvalueserve.snapshots;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A repository that hands all on to another, for tests that change a part of it. */
public class ForwardingRepository implements Repository {
  private final Repository to;

  /** Creates a repository in front of another. */
  public ForwardingRepository(Repository to) {
    this.to = to;
  }

  @Override
  public void write(String name, byte[] bytes) {
    to.write(name, bytes);
  }

  @Override
  public @Nullable Item find(String name) {
    return to.find(name);
  }

  @Override
  public byte[] read(String name) {
    return to.read(name);
  }

  @Override
  public byte[] readStart(String name, int most) {
    return to.readStart(name, most);
  }

  @Override
  public List<Item> list(String prefix) {
    return to.list(prefix);
  }

  @Override
  public List<String> folders(String prefix) {
    return to.folders(prefix);
  }

  @Override
  public void delete(String name) {
    to.delete(name);
  }

  @Override
  public int sweep() {
    return to.sweep();
  }

  @Override
  public void close() {
    to.close();
  }
}
