import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Every metric of the service, in one place, so that names and labels stay consistent. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `perpwire_${name}`, help, labelNames, registers: [registry] });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `perpwire_${name}`, help, labelNames, registers: [registry] });
  const histogram = (name: string, help: string, labelNames: string[], buckets: number[]) =>
    new Histogram({ name: `perpwire_${name}`, help, labelNames, buckets, registers: [registry] });

  return {
    registry,
    venueCalls: counter('venue_calls_total', 'Calls to a venue by outcome', ['venue', 'poll', 'outcome']),
    venueWeight: counter('venue_weight_total', 'Request weight spent at a venue', ['venue', 'budget']),
    venueLastGood: gauge('venue_last_good_timestamp_seconds', 'Unix time of the last good data', ['venue']),
    venueContracts: gauge('venue_contracts', 'Contracts that a venue lists', ['venue']),
    venueRowsRejected: counter('venue_rows_rejected_total', 'Rows skipped as bad', ['venue', 'reason']),
    venueRowsIgnored: counter('venue_rows_ignored_total', 'Rows not meant for us', ['venue', 'reason']),
    venueSocketOpen: gauge('venue_socket_open', 'Open WebSocket connections', ['venue', 'stream']),
    venueSocketReconnects: counter('venue_socket_reconnects_total', 'WebSocket reconnects', [
      'venue',
      'stream',
    ]),
    venueCircuitOpen: gauge('venue_circuit_open', '1 while a poll is paused after failures', [
      'venue',
      'poll',
    ]),
    rowsQuarantined: counter('rows_quarantined_total', 'Impossible values kept out', ['venue', 'reason']),
    priceOutliers: gauge('price_outliers', 'Contracts whose price does not fit their ticker', ['venue']),
    snapshotAsOf: gauge('snapshot_as_of_timestamp_seconds', 'Unix time of the newest snapshot'),
    snapshotRows: gauge('snapshot_rows', 'Funding rows in the newest snapshot'),
    snapshotBuildSeconds: histogram(
      'snapshot_build_seconds',
      'Time to freeze one snapshot',
      [],
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    ),
    requests: counter('http_requests_total', 'Requests answered', ['operation', 'status']),
    requestSeconds: histogram(
      'http_request_seconds',
      'Time to answer',
      ['operation'],
      [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5],
    ),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
