package io.keyvalueserve.journal;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The identity of a log: the cluster and the member that it belongs to. It is in a small file that
 * is written once, before anything else.
 *
 * @param cluster the cluster's id
 * @param member the member's id
 * @param payloadFormat what the member calls the format of its payloads
 */
record LogIdentity(String cluster, String member, int payloadFormat) {

  /**
   * Claims an empty directory, or finds that it is this member's. There is a manifest then, unless
   * it was lost: it is made before the directory is anybody's.
   *
   * @throws DirectoryRefusedException if it is anything else
   */
  static void claim(Disk disk, LogIdentity wanted) throws IOException {
    if (!disk.exists(LogFiles.IDENTITY)) {
      if (!disk.list(LogFiles.CHUNKS).isEmpty() || !Manifest.read(disk).isNew()) {
        throw damaged(disk, "it is missing");
      }
      CrcLines.replace(disk, LogFiles.MANIFEST, new ManifestContents().text());
      write(disk, wanted);
      return;
    }
    LogIdentity found = read(disk);
    requireSame(disk, "cluster", found.cluster, wanted.cluster);
    requireSame(disk, "member", found.member, wanted.member);
    if (found.payloadFormat != wanted.payloadFormat) {
      throw new DirectoryRefusedException(
          DirectoryRefusedException.Reason.OTHER_FORMAT,
          "the log in %s holds records of another format: found=%d known=%d"
              .formatted(disk.path(""), found.payloadFormat, wanted.payloadFormat),
          null);
    }
  }

  /**
   * Reads the identity of a log.
   *
   * @throws DirectoryRefusedException if there is none, or it does not say
   */
  static LogIdentity read(Disk disk) throws IOException {
    if (!disk.exists(LogFiles.IDENTITY)) {
      throw new DirectoryRefusedException(
          DirectoryRefusedException.Reason.NO_LOG, "no journal is in " + disk.path(""), null);
    }
    Map<String, String> words = new HashMap<>();
    for (String line : CrcLines.read(disk, LogFiles.IDENTITY).split("\n", -1)) {
      CrcLines.text(line)
          .ifPresent(
              text -> {
                int space = text.indexOf(' ');
                words.put(text.substring(0, Math.max(0, space)), text.substring(space + 1));
              });
    }
    String version = words.get("version");
    String cluster = words.get("cluster");
    String member = words.get("member");
    String format = words.get("payload-format");
    if (version == null || cluster == null || member == null || format == null) {
      throw damaged(disk, "a line is missing or damaged");
    }
    if (Integer.parseInt(version) != ChunkHeader.VERSION) {
      throw new DirectoryRefusedException(
          DirectoryRefusedException.Reason.OTHER_FORMAT,
          "the log in %s has a format that is not known here: format=%s known=%d"
              .formatted(disk.path(""), version, ChunkHeader.VERSION),
          null);
    }
    return new LogIdentity(cluster, member, Integer.parseInt(format));
  }

  /**
   * Reads the identity of a log from the headers of all its chunks, for a log whose file is missing
   * or damaged.
   *
   * @throws DirectoryRefusedException if no chunk says it, or they do not say the same
   */
  static LogIdentity ofChunks(Disk disk) throws IOException {
    Set<LogIdentity> found = new HashSet<>();
    for (String name : disk.list(LogFiles.CHUNKS)) {
      OptionalLong id = LogFiles.chunkOf(name);
      if (id.isPresent()) {
        try (ChunkFile file = ChunkFile.open(disk, id.getAsLong())) {
          file.header()
              .map(it -> new LogIdentity(it.cluster(), it.member(), it.payloadFormat()))
              .ifPresent(found::add);
        }
      }
    }
    if (found.size() != 1) {
      throw damaged(disk, "it cannot be read, and chunks say " + found);
    }
    return found.iterator().next();
  }

  /** Says whose log it is, also where that was lost. */
  static void write(Disk disk, LogIdentity identity) throws IOException {
    String text =
        CrcLines.line("version " + ChunkHeader.VERSION)
            + CrcLines.line("cluster " + identity.cluster)
            + CrcLines.line("member " + identity.member)
            + CrcLines.line("payload-format " + identity.payloadFormat);
    CrcLines.replace(disk, LogFiles.IDENTITY, text);
  }

  private static void requireSame(Disk disk, String what, String found, String wanted) {
    if (!found.equals(wanted)) {
      throw new DirectoryRefusedException(
          what.equals("cluster")
              ? DirectoryRefusedException.Reason.OTHER_CLUSTER
              : DirectoryRefusedException.Reason.OTHER_MEMBER,
          "the log in %s belongs to another %s: found=%s wanted=%s; name its own directory"
              .formatted(disk.path(""), what, found, wanted),
          null);
    }
  }

  private static DirectoryRefusedException damaged(Disk disk, String why) {
    return new DirectoryRefusedException(
        DirectoryRefusedException.Reason.DAMAGED,
        "%s does not say whose log it is: %s; 'kvs data inspect' shows what the chunks say, 'kvs data compact' writes it anew"
            .formatted(disk.path(LogFiles.IDENTITY), why),
        null);
  }
}
