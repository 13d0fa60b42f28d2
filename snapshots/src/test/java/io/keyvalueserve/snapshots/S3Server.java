package io.keyvalueserve.snapshots;

import java.net.URI;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStore;
import org.jclouds.blobstore.BlobStoreContext;

/** An S3-compatible server in this process, which keeps its objects in memory. */
public final class S3Server implements AutoCloseable {
  /** The credentials that the server accepts. */
  public static final Credentials CREDENTIALS = new Credentials("test-access", "test-secret");

  private final BlobStoreContext context;
  private final S3Proxy proxy;

  private S3Server(BlobStoreContext context, S3Proxy proxy) {
    this.context = context;
    this.proxy = proxy;
  }

  /** Starts a server on a free port of this machine. */
  public static S3Server start() {
    BlobStoreContext context =
        ContextBuilder.newBuilder("transient")
            .credentials("identity", "credential")
            .build(BlobStoreContext.class);
    try {
      S3Proxy proxy =
          S3Proxy.builder()
              .blobStore(context.getBlobStore())
              .endpoint(URI.create("http://127.0.0.1:0"))
              .awsAuthentication(
                  AuthenticationType.AWS_V4, CREDENTIALS.accessKey(), CREDENTIALS.secret())
              .build();
      proxy.start();
      return new S3Server(context, proxy);
    } catch (Exception e) {
      context.close();
      throw new IllegalStateException(e);
    }
  }

  /** Creates an empty bucket. */
  public void createBucket(String bucket) {
    BlobStore store = context.getBlobStore();
    boolean _ = store.createContainerInLocation(null, bucket);
  }

  /** Returns the address of a bucket on this server. */
  public RepositoryAddress.S3 address(String bucket, String prefix) {
    return new RepositoryAddress.S3(
        bucket, prefix, URI.create("http://127.0.0.1:" + proxy.getPort()), "us-east-1", true);
  }

  @Override
  public void close() {
    try {
      proxy.stop();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      context.close();
    }
  }
}
