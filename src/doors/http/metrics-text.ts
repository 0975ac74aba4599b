import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import type { Metrics } from '../../base/metrics.ts';

/** The values of all metrics of one thread, as messages carry them. */
export type MetricsJson = MetricObjectWithValues<MetricValue<string>>[];

/** Metrics of the program; the others are of the whole process. */
const OWN_PREFIX = 'perpwire_';

/** The program's metrics of this thread. */
export async function metricsJson({ registry }: Metrics): Promise<MetricsJson> {
  const all = await registry.getMetricsAsJSON();
  return all.filter(({ name }) => name.startsWith(OWN_PREFIX));
}

/** The metrics of this thread and another one, in the text format of Prometheus. Counts are added up. */
export async function metricsText(metrics: Metrics, other: MetricsJson | null): Promise<string> {
  const { registry } = metrics;
  if (other === null) return await registry.metrics();
  const own = await metricsJson(metrics);
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  const ofProcess = await Promise.all(
    names
      .filter((name) => !name.startsWith(OWN_PREFIX))
      .map((name) => registry.getSingleMetricAsString(name)),
  );
  const together = await AggregatorRegistry.aggregate([own, other]).metrics();
  return `${ofProcess.join('\n\n')}\n\n${together}`;
}
