package io.keyvalueserve.journal;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** A subdirectory of a disk as a disk of its own. As thread-safe as that one. */
public final class Subdirectory implements Disk {
  private final Disk disk;
  private final String name;

  private Subdirectory(Disk disk, String name) {
    this.disk = disk;
    this.name = name;
  }

  /** A subdirectory that is there or can be made; that it is there is certain. */
  public static Subdirectory of(Disk disk, String name) throws IOException {
    disk.makeDirectory(name);
    disk.syncDirectory("");
    return new Subdirectory(disk, name);
  }

  private String in(String name) {
    return name.isEmpty() ? this.name : this.name + "/" + name;
  }

  @Override
  public int blockBytes() {
    return disk.blockBytes();
  }

  @Override
  public String mode() {
    return disk.mode();
  }

  @Override
  public DiskFile create(String name, long bytes) throws IOException {
    return disk.create(in(name), bytes);
  }

  @Override
  public DiskFile open(String name, Access access) throws IOException {
    return disk.open(in(name), access);
  }

  @Override
  public List<String> list(String directory) throws IOException {
    return disk.list(in(directory));
  }

  @Override
  public boolean exists(String name) throws IOException {
    return disk.exists(in(name));
  }

  @Override
  public void makeDirectory(String directory) throws IOException {
    disk.makeDirectory(in(directory));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    disk.rename(in(from), in(to));
  }

  @Override
  public void delete(String name) throws IOException {
    disk.delete(in(name));
  }

  @Override
  public void syncDirectory(String directory) throws IOException {
    disk.syncDirectory(in(directory));
  }

  @Override
  public long freeBytes() throws IOException {
    return disk.freeBytes();
  }

  @Override
  public String path(String name) {
    return disk.path(in(name));
  }

  @Override
  public Closeable lock(String name) throws IOException {
    return disk.lock(in(name));
  }
}
