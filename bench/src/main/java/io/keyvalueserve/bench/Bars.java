package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A plot of labelled bars, as SVG. */
final class Bars {
  private static final int WIDTH = 970;
  private static final int LABELS = 450;
  private static final int ROW = 26;
  private static final int HEAD = 50;
  private static final int VALUES = 90;

  private record Bar(String label, double value) {}

  private final String title;
  private final String unit;
  private final List<Bar> bars = new ArrayList<>();

  Bars(String title, String unit) {
    this.title = title;
    this.unit = unit;
  }

  /** Adds a bar below the others. */
  void add(String label, double value) {
    bars.add(new Bar(label, value));
  }

  /** The whole file. */
  String svg() {
    double most = bars.stream().mapToDouble(Bar::value).max().orElse(1);
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                + " font-family=\"sans-serif\" font-size=\"13\">%n",
            WIDTH, HEAD + ROW * bars.size() + 10));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    svg.append(
        String.format(
            "<text x=\"10\" y=\"28\" font-size=\"17\">%s (%s)</text>%n", escape(title), unit));
    for (int i = 0; i < bars.size(); i++) {
      Bar bar = bars.get(i);
      int y = HEAD + i * ROW;
      double length = Math.max(0, bar.value / Math.max(most, 1e-9)) * (WIDTH - LABELS - VALUES);
      svg.append(
          String.format(
              Locale.ROOT,
              "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
                  + "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"18\" fill=\"%s\"/>"
                  + "<text x=\"%.1f\" y=\"%d\">%.2f</text>%n",
              LABELS - 10,
              y + 14,
              escape(bar.label),
              LABELS,
              y,
              length,
              bar.label.startsWith("kvs") || bar.label.startsWith("ours") ? "#2f6fb0" : "#b0b0b0",
              LABELS + length + 6,
              y + 14,
              bar.value));
    }
    return svg.append("</svg>\n").toString();
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
