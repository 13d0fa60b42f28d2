package io.keyvalueserve.snapshots;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.retry.RetryMode;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * A repository in a bucket of an S3-compatible store. The store makes writes atomic and durable.
 * Credentials come from the caller alone: neither the environment nor files of AWS tools are read.
 */
public final class S3Repository implements Repository {
  /** The times that a client waits for. */
  record Patience(Duration connect, Duration read, Duration attempt, Duration call) {}

  static final Patience USUAL =
      new Patience(
          Duration.ofSeconds(10),
          Duration.ofMinutes(1),
          Duration.ofMinutes(2),
          Duration.ofMinutes(5));

  private final RepositoryAddress.S3 address;
  private final String root;
  private final S3Client client;

  private S3Repository(RepositoryAddress.S3 address, S3Client client) {
    this.address = address;
    this.root = address.prefix().isEmpty() ? "" : address.prefix() + "/";
    this.client = client;
  }

  /** Opens a bucket. No request is sent; {@link #check} finds out whether it can be used. */
  public static S3Repository open(RepositoryAddress.S3 address, Credentials credentials) {
    return open(address, credentials, USUAL);
  }

  static S3Repository open(
      RepositoryAddress.S3 address, Credentials credentials, Patience patience) {
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClientBuilder(
                UrlConnectionHttpClient.builder()
                    .connectionTimeout(patience.connect())
                    .socketTimeout(patience.read()))
            .credentialsProvider(
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(credentials.accessKey(), credentials.secret())))
            .region(Region.of(address.region()))
            .dualstackEnabled(false)
            .fipsEnabled(false)
            .disableS3ExpressSessionAuth(true)
            // Stores other than AWS do not know the newer checksums.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .serviceConfiguration(
                S3Configuration.builder()
                    .pathStyleAccessEnabled(address.pathStyle())
                    .chunkedEncodingEnabled(false)
                    .build())
            .overrideConfiguration(
                override ->
                    override
                        .defaultProfileFile(ProfileFile.aggregator().build())
                        .defaultProfileName("none")
                        .retryStrategy(RetryMode.STANDARD)
                        .apiCallAttemptTimeout(patience.attempt())
                        .apiCallTimeout(patience.call()));
    URI endpoint = address.endpoint();
    if (endpoint != null) {
      builder.endpointOverride(endpoint);
    }
    return new S3Repository(address, builder.build());
  }

  @Override
  public void write(String name, byte[] bytes) {
    String key = key(name);
    if (bytes.length > LARGEST_OBJECT) {
      throw tooLarge(name);
    }
    var _ =
        call(
            name,
            () ->
                client.putObject(
                    request ->
                        request
                            .bucket(address.bucket())
                            .key(key)
                            .contentType("application/octet-stream"),
                    RequestBody.fromContentProvider(
                        () -> new ByteArrayInputStream(bytes),
                        bytes.length,
                        "application/octet-stream")));
  }

  @Override
  public @Nullable Item find(String name) {
    String key = key(name);
    try {
      HeadObjectResponse head =
          call(name, () -> client.headObject(request -> request.bucket(address.bucket()).key(key)));
      return new Item(name, head.contentLength(), head.lastModified());
    } catch (SnapshotException e) {
      if (e.kind() == SnapshotException.Kind.MISSING) {
        return null;
      }
      throw e;
    }
  }

  @Override
  public byte[] read(String name) {
    return read(name, GetObjectRequest.builder().key(key(name)));
  }

  @Override
  public byte[] readStart(String name, int most) {
    if (most < 1) {
      throw SnapshotException.invalid("most", "is " + most + ": give 1 or more");
    }
    GetObjectRequest.Builder request = GetObjectRequest.builder().key(key(name));
    try {
      byte[] start = read(name, request.range("bytes=0-" + (most - 1)));
      return start.length > most ? Arrays.copyOf(start, most) : start;
    } catch (EmptyObject e) {
      return new byte[0];
    }
  }

  private byte[] read(String name, GetObjectRequest.Builder request) {
    return call(
        name,
        () -> {
          try (ResponseInputStream<GetObjectResponse> stream =
              client.getObject(request.bucket(address.bucket()).build())) {
            Long length = stream.response().contentLength();
            if (length != null && length > LARGEST_OBJECT) {
              stream.abort();
              throw tooLarge(name);
            }
            int most = length == null ? LARGEST_OBJECT : length.intValue();
            byte[] bytes = stream.readNBytes(most);
            if (length != null && bytes.length != most) {
              throw new SnapshotException(
                  SnapshotException.Kind.UNAVAILABLE,
                  name + " was cut off by the store at " + place() + ": try again");
            }
            return bytes;
          } catch (IOException e) {
            throw unreachable(e);
          }
        });
  }

  @Override
  public List<Item> list(String prefix) {
    String from = root + ObjectName.checkedPrefix(prefix);
    List<Item> items = new ArrayList<>();
    ListObjectsV2Request.Builder request =
        ListObjectsV2Request.builder().bucket(address.bucket()).prefix(from);
    pages(
        prefix,
        request,
        page -> {
          for (S3Object object : page.contents()) {
            String name = object.key().substring(root.length());
            if (ObjectName.isValid(name)) {
              items.add(new Item(name, object.size(), object.lastModified()));
            }
          }
        });
    items.sort(Comparator.comparing(Item::name));
    return items;
  }

  @Override
  public List<String> folders(String prefix) {
    String names = ObjectName.checkedPrefix(prefix);
    if (!names.isEmpty() && !names.endsWith("/")) {
      throw SnapshotException.invalid("prefix", "does not end with '/': add it");
    }
    String from = root + names;
    TreeSet<String> folders = new TreeSet<>();
    ListObjectsV2Request.Builder request =
        ListObjectsV2Request.builder().bucket(address.bucket()).prefix(from).delimiter("/");
    pages(
        prefix,
        request,
        page -> {
          for (CommonPrefix common : page.commonPrefixes()) {
            String folder = common.prefix().substring(from.length(), common.prefix().length() - 1);
            if (ObjectName.isValid(folder)) {
              folders.add(folder);
            }
          }
        });
    return List.copyOf(folders);
  }

  private interface Page {
    void take(ListObjectsV2Response page);
  }

  private void pages(String prefix, ListObjectsV2Request.Builder request, Page taker) {
    String token;
    do {
      ListObjectsV2Response page =
          call("the list of '" + prefix + "'", () -> client.listObjectsV2(request.build()));
      taker.take(page);
      token = Boolean.TRUE.equals(page.isTruncated()) ? page.nextContinuationToken() : null;
      request.continuationToken(token);
    } while (token != null);
  }

  @Override
  public void delete(String name) {
    String key = key(name);
    try {
      var _ =
          call(
              name,
              () -> client.deleteObject(request -> request.bucket(address.bucket()).key(key)));
    } catch (SnapshotException e) {
      if (e.kind() != SnapshotException.Kind.MISSING) {
        throw e;
      }
    }
  }

  /** Returns 0: the store itself drops writes that were interrupted. */
  @Override
  public int sweep() {
    return 0;
  }

  @Override
  public void close() {
    client.close();
  }

  @Override
  public String toString() {
    return "S3Repository[" + address + "]";
  }

  private String key(String name) {
    return root + ObjectName.checked(name);
  }

  private String place() {
    URI endpoint = address.endpoint();
    return endpoint == null ? "AWS, " + address.region() : endpoint.toString();
  }

  private <T> T call(String subject, Supplier<T> request) {
    try {
      return request.get();
    } catch (S3Exception e) {
      throw refused(subject, e);
    } catch (SdkException e) {
      throw unreachable(e);
    }
  }

  /** Signals a range that begins at the end of its object. */
  private static final class EmptyObject extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private EmptyObject() {
      super("an empty object", null, false, false);
    }
  }

  private RuntimeException refused(String subject, S3Exception e) {
    String code = e.awsErrorDetails() == null ? null : e.awsErrorDetails().errorCode();
    int status = e.statusCode();
    String name = code == null || code.isEmpty() ? "status " + status : code;
    return switch (name) {
      case "NoSuchBucket" ->
          new SnapshotException(
              SnapshotException.Kind.NO_REPOSITORY,
              "bucket",
              "the bucket "
                  + address.bucket()
                  + " does not exist at "
                  + place()
                  + ": create it, or mend the address");
      case "InvalidRange" -> new EmptyObject();
      case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken" ->
          new SnapshotException(
              SnapshotException.Kind.DENIED,
              "credentials",
              place() + " refuses the credentials (" + name + "): give the right ones");
      case "RequestTimeTooSkewed" ->
          new SnapshotException(
              SnapshotException.Kind.DENIED,
              place() + " says that this member's clock is wrong: set it by NTP");
      case "PermanentRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraint" ->
          SnapshotException.invalid(
              "region", "the bucket is not in " + address.region() + ": give its own region");
      default -> byStatus(subject, name, status);
    };
  }

  private RuntimeException byStatus(String subject, String name, int status) {
    return switch (status) {
      case 404 ->
          new SnapshotException(
              SnapshotException.Kind.MISSING, subject + " does not exist in the repository");
      case 401, 403 ->
          new SnapshotException(
              SnapshotException.Kind.DENIED,
              subject
                  + " is denied by "
                  + place()
                  + " ("
                  + name
                  + "): grant the key to read, write, list and delete in "
                  + address.bucket());
      case 416 -> new EmptyObject();
      case 301, 307 ->
          SnapshotException.invalid(
              "region", "the bucket is not in " + address.region() + ": give its own region");
      case 507 ->
          new SnapshotException(SnapshotException.Kind.FULL, place() + " is full: free some space");
      default ->
          new SnapshotException(
              SnapshotException.Kind.UNAVAILABLE,
              subject + " failed at " + place() + " (" + name + "): try again later");
    };
  }

  private SnapshotException unreachable(Exception e) {
    String why = "does not answer (" + e.getClass().getSimpleName() + ")";
    int depth = 0;
    for (Throwable cause = e; cause != null && depth < 20; cause = cause.getCause(), depth++) {
      String found =
          switch (cause) {
            case UnknownHostException _ -> "has a host name that is unknown";
            case ConnectException _, NoRouteToHostException _ -> "cannot be connected to";
            case SSLException _ -> "has no TLS certificate that is trusted";
            case SocketTimeoutException _,
                ApiCallTimeoutException _,
                ApiCallAttemptTimeoutException _ ->
                "did not answer in time";
            default -> null;
          };
      if (found != null) {
        why = found;
      }
    }
    return new SnapshotException(
        SnapshotException.Kind.UNAVAILABLE,
        "endpoint",
        place() + " " + why + ": check the address and the network, then try again");
  }

  private static SnapshotException tooLarge(String name) {
    return new SnapshotException(
        SnapshotException.Kind.TOO_LARGE,
        name + " is larger than 256 MiB: split what is written into several objects");
  }
}
