// The plots of a tenant, and of all tenants together.

import { h } from './dom.js';
import { byteRate, bytes, millis, rate } from './format.js';
import { Plot } from './plot.js';

/** How long requests take, of a history. */
export function latencyPlot(history) {
  return new Plot({
    title: 'Latency', format: millis,
    lines: [
      { name: 'p99', series: history.of('p99Millis') },
      { name: 'p50', series: history.of('p50Millis') },
    ],
  });
}

/** Five plots of a history; `limit` says what a quota limits a figure to. */
export function usagePlots(history, limit = () => null) {
  const plots = [
    new Plot({
      title: 'Operations', format: rate, limit: () => limit('operationsPerSecond'),
      lines: [{ series: history.of('operationsPerSecond') }],
    }),
    latencyPlot(history),
    new Plot({
      title: 'Traffic', format: byteRate, binary: true,
      lines: [
        { name: 'in', series: history.of('bytesInPerSecond') },
        { name: 'out', series: history.of('bytesOutPerSecond') },
      ],
    }),
    new Plot({
      title: 'Memory of entries', format: bytes, binary: true, limit: () => limit('memoryBytes'),
      lines: [{ series: history.of('memoryBytes') }],
    }),
    new Plot({
      title: 'Waiting to be served', format: (value) => `${millis(value)}/s`,
      lines: [{ series: history.of('waitedMillisPerSecond') }],
    }),
  ];
  return {
    element: h('div', { class: 'plots' }, plots.map((plot) => plot.element)),
    update: () => plots.forEach((plot) => plot.update()),
    close: () => plots.forEach((plot) => plot.close()),
  };
}
