package io.keyvalueserve.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.keyvalueserve.billing.pricing.BillingPeriod;
import io.keyvalueserve.billing.spending.Hook;
import io.keyvalueserve.billing.spending.SpendAction;
import io.keyvalueserve.billing.spending.SpendLimit;
import io.keyvalueserve.billing.spending.SpendWarning;
import io.keyvalueserve.billing.spending.TenantCap;
import io.keyvalueserve.server.config.WebhookRule;
import io.keyvalueserve.tenancy.TenantName;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Currency;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WebhooksTest {
  private static final TenantName TENANT = new TenantName("acme");
  private static final SpendLimit LIMIT =
      new SpendLimit(
          BigDecimal.ONE, Currency.getInstance("USD"), SpendAction.REFUSE, 100, List.of(50));

  @Test
  void anHttpHookIsCalledOnlyWhereTheRuleAllowsIt() throws IOException, InterruptedException {
    BlockingQueue<String> called = new LinkedBlockingQueue<>();
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          called.add(exchange.getRequestURI().getPath());
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    String url = "http://127.0.0.1:" + server.getAddress().getPort();
    try (Webhooks strict = webhooks(false, told);
        Webhooks open = webhooks(true, told)) {
      strict.offer(TENANT, LIMIT, hook(url + "/strict"), warning("strict"));
      open.offer(TENANT, LIMIT, hook(url + "/open"), warning("open"));
      assertThat(told.poll(60, TimeUnit.SECONDS)).isEqualTo("open");
      assertThat(called).containsExactly("/open");
    } finally {
      server.stop(0);
    }
  }

  private static Webhooks webhooks(boolean allowHttp, BlockingQueue<String> told) {
    return new Webhooks(
        InstantSource.system(), new WebhookRule(allowHttp, false), (tenant, id) -> told.add(id));
  }

  private static Hook hook(String url) {
    return new Hook(url, "0123456789abcdef");
  }

  private static TenantCap.Warning warning(String id) {
    InstantSource now = InstantSource.system();
    BillingPeriod period = BillingPeriod.at(now.instant(), ZoneOffset.UTC);
    return new TenantCap.Warning(
        id,
        new SpendWarning(period, 50, new BigDecimal("0.5"), BigDecimal.ONE),
        now.millis(),
        false);
  }
}
