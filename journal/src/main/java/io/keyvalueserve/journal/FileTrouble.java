package io.keyvalueserve.journal;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.jspecify.annotations.Nullable;

/** Says in words for an operator why a file or a directory cannot be used. */
public final class FileTrouble {
  private FileTrouble() {}

  /** Returns the trouble as a clause, such as "the disk is full". */
  public static String of(IOException thrown) {
    return switch (thrown) {
      case NoSuchFileException _ -> "there is no such file";
      case AccessDeniedException _ -> "this account may not access it";
      case FileAlreadyExistsException _ -> "a file is there";
      case NotDirectoryException _ -> "a file is in the place of a directory";
      case CharacterCodingException _ -> "it is not text in UTF-8";
      case NoSpaceException _ -> "the disk is full";
      case FileSystemException e when e.getReason() != null -> ofSystem(e.getReason(), e);
      default -> ofSystem(thrown.getMessage(), thrown);
    };
  }

  /** Returns the file, if it is known, and the trouble, such as "/srv/a: there is no such file". */
  public static String naming(IOException thrown) {
    return thrown instanceof FileSystemException known && known.getFile() != null
        ? known.getFile() + ": " + of(thrown)
        : of(thrown);
  }

  private static String ofSystem(@Nullable String said, IOException thrown) {
    return switch (said) {
      case null -> thrown.getClass().getSimpleName();
      case "No space left on device" -> "the disk is full";
      case "Disk quota exceeded" -> "the disk quota is used up";
      case "Read-only file system" -> "its file system is read-only";
      case "Not a directory" -> "a file is in the place of a directory";
      case "Is a directory" -> "it is a directory";
      case "Permission denied", "Operation not permitted" -> "this account may not access it";
      default -> said;
    };
  }
}
