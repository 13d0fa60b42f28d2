package io.keyvalueserve.snapshots;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The place of a repository.
 *
 * <pre>
 *   /backups/kvs                    a directory
 *   file:/backups/kvs               the same
 *   s3://bucket/prefix?region=eu-west-1
 *   s3://bucket?endpoint=http://10.0.0.7:9000&amp;path-style=true
 * </pre>
 *
 * {@code toString} prints the form that {@link #parse} reads.
 */
public sealed interface RepositoryAddress {
  /**
   * Reads an address.
   *
   * @throws SnapshotException of kind {@code INVALID}; its field is {@code repository}, {@code
   *     path}, {@code bucket}, {@code prefix}, {@code endpoint}, {@code region} or {@code
   *     path-style}
   */
  static RepositoryAddress parse(String text) {
    String address = text.strip();
    if (address.length() > 2048) {
      throw SnapshotException.invalid("repository", "is too long: give at most 2048 characters");
    }
    if (address.startsWith("/")) {
      return Directory.at(address);
    }
    String lower = address.toLowerCase(Locale.ROOT);
    if (lower.startsWith("file:")) {
      String path = address.substring("file:".length());
      return Directory.at(path.startsWith("//") ? path.substring(2) : path);
    }
    if (lower.startsWith("s3://")) {
      return S3.at(address.substring("s3://".length()));
    }
    throw SnapshotException.invalid(
        "repository", "has no known form: give file:/directory or s3://bucket/prefix");
  }

  /** Returns the address of a folder of this place, which is a repository of its own. */
  RepositoryAddress folder(String name);

  /**
   * A directory that every member sees.
   *
   * @param path absolute and normal
   */
  record Directory(Path path) implements RepositoryAddress {
    /** Checks the path. */
    public Directory {
      if (!path.isAbsolute() || !path.equals(path.normalize())) {
        throw SnapshotException.invalid(
            "path", "is not absolute: give one that begins with '/' and has no '..'");
      }
      if (path.getNameCount() == 0) {
        throw SnapshotException.invalid("path", "is the root: give a directory of its own");
      }
    }

    private static Directory at(String path) {
      if (!path.startsWith("/") || path.chars().anyMatch(c -> c < ' ')) {
        throw SnapshotException.invalid(
            "path", "is not absolute: give one that begins with '/', as file:/backups/kvs");
      }
      try {
        return new Directory(Path.of(path));
      } catch (InvalidPathException e) {
        throw SnapshotException.invalid("path", "is no path of this system: give another");
      }
    }

    @Override
    public RepositoryAddress folder(String name) {
      return new Directory(path.resolve(name));
    }

    @Override
    public String toString() {
      return "file:" + path;
    }
  }

  /**
   * A bucket of an S3-compatible store.
   *
   * @param prefix what the names of all objects begin with, without slashes at its ends; may be
   *     empty
   * @param endpoint the server; null for AWS
   * @param pathStyle whether the bucket stands in the path of a request instead of in its host name
   */
  record S3(String bucket, String prefix, @Nullable URI endpoint, String region, boolean pathStyle)
      implements RepositoryAddress {
    private static final String DEFAULT_REGION = "us-east-1";
    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final Pattern PREFIX =
        Pattern.compile("([A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*)?");
    private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,40}");

    /** Checks the fields. */
    public S3 {
      if (!BUCKET.matcher(bucket).matches()) {
        throw SnapshotException.invalid(
            "bucket", "has no name of a bucket: give 3 to 63 of a-z, 0-9, '-' and '.'");
      }
      if (!PREFIX.matcher(prefix).matches() || prefix.length() > 300) {
        throw SnapshotException.invalid(
            "prefix",
            "has other characters: join segments of letters, digits, '.', '_' and '-' with '/'");
      }
      if (!REGION.matcher(region).matches()) {
        throw SnapshotException.invalid("region", "is no region: give one as eu-west-1");
      }
      if (endpoint != null) {
        checkEndpoint(endpoint);
      }
    }

    @Override
    public RepositoryAddress folder(String name) {
      String next = prefix.isEmpty() ? name : prefix + '/' + name;
      return new S3(bucket, next, endpoint, region, pathStyle);
    }

    private static void checkEndpoint(URI endpoint) {
      String scheme = endpoint.getScheme();
      boolean http = "http".equals(scheme) || "https".equals(scheme);
      if (!http || endpoint.getHost() == null) {
        throw SnapshotException.invalid(
            "endpoint", "is no server: give one as https://host or http://host:port");
      }
      String path = endpoint.getRawPath();
      if (endpoint.getRawUserInfo() != null
          || endpoint.getRawQuery() != null
          || endpoint.getRawFragment() != null
          || (path != null && !path.isEmpty())) {
        throw SnapshotException.invalid(
            "endpoint", "has more than a host and a port: leave the rest out");
      }
    }

    private static S3 at(String rest) {
      int mark = rest.indexOf('?');
      String place = mark < 0 ? rest : rest.substring(0, mark);
      if (place.contains("@")) {
        throw SnapshotException.invalid(
            "bucket", "has credentials before it: give the access key and the secret apart");
      }
      Map<String, String> parameters = parameters(mark < 0 ? "" : rest.substring(mark + 1));
      int slash = place.indexOf('/');
      String bucket = slash < 0 ? place : place.substring(0, slash);
      String prefix = slash < 0 ? "" : place.substring(slash + 1);
      String endpoint = parameters.get("endpoint");
      String region = parameters.get("region");
      if (region == null && endpoint == null) {
        throw SnapshotException.invalid(
            "region", "is missing: add ?region=eu-west-1, or an endpoint that is not AWS");
      }
      return new S3(
          bucket,
          prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix,
          endpoint == null ? null : endpoint(endpoint),
          region == null ? DEFAULT_REGION : region,
          pathStyle(parameters.get("path-style")));
    }

    private static Map<String, String> parameters(String query) {
      Map<String, String> parameters = new LinkedHashMap<>();
      for (String part : query.isEmpty() ? new String[0] : query.split("&", -1)) {
        int sign = part.indexOf('=');
        String name = sign < 0 ? part : part.substring(0, sign);
        if (!List.of("endpoint", "region", "path-style").contains(name)) {
          throw SnapshotException.invalid(
              "repository",
              "has an unknown parameter: those of s3:// are endpoint, region and path-style");
        }
        if (parameters.put(name, sign < 0 ? "" : part.substring(sign + 1)) != null) {
          throw SnapshotException.invalid(name, "is given twice: give it once");
        }
      }
      return parameters;
    }

    private static URI endpoint(String text) {
      try {
        return new URI(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
      } catch (URISyntaxException e) {
        throw SnapshotException.invalid(
            "endpoint", "is no URL: give one as https://host or http://host:port");
      }
    }

    private static boolean pathStyle(@Nullable String text) {
      if (text == null || text.equals("false")) {
        return false;
      }
      if (text.equals("true")) {
        return true;
      }
      throw SnapshotException.invalid("path-style", "is neither true nor false: give one of them");
    }

    @Override
    public String toString() {
      List<String> parameters = new ArrayList<>();
      if (endpoint != null) {
        parameters.add("endpoint=" + endpoint);
      }
      parameters.add("region=" + region);
      if (pathStyle) {
        parameters.add("path-style=true");
      }
      return "s3://"
          + bucket
          + (prefix.isEmpty() ? "" : "/" + prefix)
          + "?"
          + String.join("&", parameters);
    }
  }
}
