package io.keyvalueserve.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Plots of lines over the same kind of points, one below the other, as SVG. */
final class Lines {
  private static final int WIDTH = 970;
  private static final int LEFT = 90;
  private static final int RIGHT = 800;
  private static final int HEAD = 50;
  private static final int PLOT = 260;
  private static final int PLOT_TOP = 34;
  private static final int PLOT_BOTTOM = 210;
  private static final int STEPS = 4;

  /** Colours that the colour-blind can tell apart too. */
  private static final List<String> COLORS =
      List.of(
          "#000000", "#e69f00", "#56b4e9", "#009e73", "#0072b2", "#d55e00", "#cc79a7", "#999999");

  private record Line(String label, List<Double> values) {}

  private record Plot(String title, List<Integer> points, List<Line> lines) {}

  private final String title;
  private final String unit;
  private final String axis;
  private final List<Plot> plots = new ArrayList<>();

  /**
   * @param title of all plots
   * @param unit of the values
   * @param axis what the points are
   */
  Lines(String title, String unit, String axis) {
    this.title = title;
    this.unit = unit;
    this.axis = axis;
  }

  /**
   * Adds a plot below the others.
   *
   * @param points in ascending order; they are drawn at equal distances
   */
  void plot(String name, List<Integer> points) {
    plots.add(new Plot(name, points, new ArrayList<>()));
  }

  /** Adds a line to the last plot: a value for each of its points. */
  void line(String label, List<Double> values) {
    plots.getLast().lines.add(new Line(label, values));
  }

  /** The whole file. */
  String svg() {
    StringBuilder svg = new StringBuilder();
    add(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " font-family=\"sans-serif\" font-size=\"13\">",
        WIDTH,
        HEAD + PLOT * plots.size());
    add(svg, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
    add(svg, "<text x=\"10\" y=\"28\" font-size=\"17\">%s (%s)</text>", escape(title), unit);
    for (int i = 0; i < plots.size(); i++) {
      draw(svg, plots.get(i), HEAD + i * PLOT);
    }
    return svg.append("</svg>\n").toString();
  }

  private void draw(StringBuilder svg, Plot plot, int top) {
    add(svg, "<text x=\"%d\" y=\"%d\">%s</text>", LEFT, top + 18, escape(plot.title));
    double most =
        plot.lines.stream().flatMap(line -> line.values.stream()).max(Double::compare).orElse(1.0);
    for (int step = 0; step <= STEPS; step++) {
      double value = most * step / STEPS;
      double y = y(value, most, top);
      add(
          svg,
          "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>"
              + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
          LEFT,
          y,
          RIGHT,
          y,
          LEFT - 8,
          y + 4,
          String.format(Locale.ROOT, most < 100 ? "%.2f" : "%,.0f", value));
    }
    for (int i = 0; i < plot.points.size(); i++) {
      add(
          svg,
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>",
          x(i, plot),
          top + PLOT_BOTTOM + 18,
          plot.points.get(i));
    }
    add(
        svg,
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>",
        (LEFT + RIGHT) / 2,
        top + PLOT_BOTTOM + 34,
        escape(axis));
    for (int i = 0; i < plot.lines.size(); i++) {
      draw(svg, plot, plot.lines.get(i), COLORS.get(i % COLORS.size()), most, top, i);
    }
  }

  private static void draw(
      StringBuilder svg, Plot plot, Line line, String color, double most, int top, int number) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < line.values.size(); i++) {
      double x = x(i, plot);
      double y = y(line.values.get(i), most, top);
      path.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
      add(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>", x, y, color);
    }
    add(
        svg,
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>"
            + "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>",
        path.toString().strip(),
        color,
        RIGHT + 14,
        top + PLOT_TOP + 12 + 18 * number,
        color,
        escape(line.label));
  }

  private static double x(int point, Plot plot) {
    int gaps = Math.max(1, plot.points.size() - 1);
    return LEFT + 20 + (double) point * (RIGHT - LEFT - 40) / gaps;
  }

  private static double y(double value, double most, int top) {
    return top + PLOT_BOTTOM - value / Math.max(most, 1e-9) * (PLOT_BOTTOM - PLOT_TOP);
  }

  private static void add(StringBuilder svg, String format, Object... what) {
    svg.append(String.format(Locale.ROOT, format + "%n", what));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }
}
