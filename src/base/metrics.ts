import { type Aggregator, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** All metrics of the service, so that names and labels stay consistent. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `perpwire_${name}`, help, labelNames, registers: [registry] });
  // Of the two threads of a process one sets a gauge, and it is 0 in the other; where both do, the larger value matters.
  const gauge = (name: string, help: string, labelNames: string[] = [], aggregator: Aggregator = 'max') =>
    new Gauge({ name: `perpwire_${name}`, help, labelNames, aggregator, registers: [registry] });
  const histogram = (name: string, help: string, labelNames: string[], buckets: number[]) =>
    new Histogram({ name: `perpwire_${name}`, help, labelNames, buckets, registers: [registry] });

  return {
    registry,
    venueCalls: counter('venue_calls_total', 'Calls to a venue by outcome', ['venue', 'poll', 'outcome']),
    venueWeight: counter('venue_weight_total', 'Request weight spent at a venue', ['venue', 'budget']),
    venueBytes: counter('venue_received_bytes_total', 'Bytes of the replies of a venue, compressed', [
      'venue',
    ]),
    venueLastGood: gauge('venue_last_good_timestamp_seconds', 'Unix time of the last good data', ['venue']),
    venueContracts: gauge('venue_contracts', 'Contracts that a venue lists', ['venue']),
    venueRowsRejected: counter('venue_rows_rejected_total', 'Rows skipped as bad', ['venue', 'reason']),
    venueRowsIgnored: counter('venue_rows_ignored_total', 'Rows that are out of scope', ['venue', 'reason']),
    venueSocketOpen: gauge('venue_socket_open', 'Open WebSocket connections', ['venue', 'stream']),
    venueSocketReconnects: counter('venue_socket_reconnects_total', 'WebSocket reconnects', [
      'venue',
      'stream',
    ]),
    venueCircuitOpen: gauge('venue_circuit_open', '1 while a poll is paused after failures', [
      'venue',
      'poll',
    ]),
    rowsQuarantined: counter('rows_quarantined_total', 'Impossible values quarantined', ['venue', 'reason']),
    priceOutliers: gauge(
      'price_outliers',
      'Contracts whose price is far from that of other venues under their ticker',
      ['venue'],
    ),
    openInterestWithheld: gauge(
      'open_interest_withheld',
      'Contracts whose open interest is not published because it cannot be right',
      ['venue', 'reason'],
    ),
    venueAuditAlarm: gauge('venue_audit_alarm', '1 while the audit finds a systematic fault at a venue', [
      'venue',
      'fault',
    ]),
    venueAuditNotice: gauge(
      'venue_audit_notice',
      '1 while the audit has a notice about open interest or volume of a venue',
      ['venue', 'notice', 'field'],
    ),
    auditComparisons: counter(
      'audit_comparisons_total',
      'Published rates that were compared with their settled print',
      ['venue'],
    ),
    auditMissing: gauge(
      'audit_missing_prints',
      'Settlements of the last 24 hours whose print is not known after seven hours',
      ['venue'],
    ),
    auditDropped: counter(
      'audit_dropped_total',
      'Audited settlements lost because too many waited for the database',
    ),
    auditSeconds: histogram(
      'audit_seconds',
      'Time to audit one snapshot',
      [],
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1],
    ),
    venueCheckRows: gauge('venue_check_rows', 'Contracts that a check of the newest snapshot is about', [
      'venue',
      'check',
    ]),
    venueVolumeRatio: gauge(
      'venue_volume_ratio',
      'Volume against the last days of the venue, in proportion to the other venues',
      ['venue'],
    ),
    snapshotAsOf: gauge('snapshot_as_of_timestamp_seconds', 'Unix time of the newest snapshot'),
    loadStage: gauge('load_stage', 'Stages of work that are stopped because of overload, 0 to 5'),
    loopWait: gauge('event_wait_seconds', 'How long an event waits for this process, on average over 10 s'),
    shedRequests: counter('shed_requests_total', 'Requests refused because of overload', ['kind']),
    spentRequests: counter(
      'spent_requests_total',
      'Requests refused because the caller had used its computing time',
      ['kind'],
    ),
    clockSteps: counter('clock_steps_total', 'Times that the clock of the machine was set', ['direction']),
    framesSkipped: counter(
      'frames_skipped_total',
      'Stored or received snapshots that could not be read, by reason',
      ['series', 'reason'],
    ),
    attemptNames: gauge(
      'attempt_names',
      'Names, such as IP and e-mail addresses, that the limits of attempts hold in memory, as of the last minute',
      ['limit'],
    ),
    snapshotRows: gauge('snapshot_rows', 'Funding rows in the newest snapshot'),
    snapshotBuildSeconds: histogram(
      'snapshot_build_seconds',
      'Time to freeze one snapshot',
      [],
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    ),
    spreadRows: gauge('spread_rows', 'Rows in the newest print of /spreads'),
    spreadPairsApart: gauge(
      'spread_pairs_apart',
      'Pairs under one ticker whose prices differ too much to be of one coin',
    ),
    spreadAsOf: gauge('spread_as_of_timestamp_seconds', 'Unix time of the newest print of /spreads'),
    spreadPrintSeconds: histogram(
      'spread_print_seconds',
      'Time to make one print of /spreads',
      [],
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25],
    ),
    arbitrageSeconds: histogram(
      'arbitrage_legs_seconds',
      'Time to make the legs of /arbitrage for one snapshot',
      [],
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25],
    ),
    arbitrageHistorySeconds: histogram(
      'arbitrage_history_seconds',
      'Time to make the 30-day figures of /arbitrage, pauses for other work included',
      [],
      [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    ),
    depthSamples: counter('depth_samples_total', 'Contracts sampled, by how they could be priced', [
      'exchange',
      'outcome',
    ]),
    depthCoverage: gauge(
      'depth_coverage_ratio',
      'Share of contracts priced at every size in the last minute',
      ['exchange'],
    ),
    depthBooks: counter('depth_books_total', 'Order books fetched for samples', ['exchange', 'outcome']),
    backtestRows: gauge('backtest_rows', 'Rows of the newest backtest', ['size_usd']),
    backtestAsOf: gauge('backtest_as_of_timestamp_seconds', 'Unix time of the newest backtest'),
    backtestProgress: gauge('backtest_progress_ratio', 'Share of the stored samples that has been read'),
    backtestSeconds: histogram(
      'backtest_seconds',
      'Time from a stored minute to its result',
      [],
      [0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    ),
    settlementsStored: counter('settlements_stored_total', 'Settled prints taken into history', ['exchange']),
    settlementsCorrected: counter(
      'settlements_corrected_total',
      'Settled prints that came again with another value, by which value is held now',
      ['exchange', 'kept'],
    ),
    settlementGaps: gauge('settlement_gaps', 'Ranges of missing prints', ['exchange']),
    settlementWalks: counter('settlement_walks_total', 'Walks through the pages of a venue history', [
      'exchange',
      'purpose',
      'outcome',
    ]),
    settlementLagSeconds: gauge('settlement_lag_seconds', 'How late the latest print of a venue was stored', [
      'exchange',
    ]),
    backfillContracts: gauge('backfill_contracts', 'Contracts whose history is backfilled, by state', [
      'exchange',
      'state',
    ]),
    backfillDaysLeft: gauge('backfill_days_left', 'Contract-days still to be backfilled', ['exchange']),
    historyReads: counter('history_reads_total', 'Reads of history on PostgreSQL, by where they went', [
      'from',
    ]),
    jobLate: gauge(
      'job_late',
      '1 while a periodic job has not finished for three of its periods, at least 15 seconds',
      // Not `job`: Prometheus gives that label to what it scrapes.
      ['name'],
    ),
    listingRows: gauge('listing_rows', 'Rows of the calendar of listings and delistings'),
    venueClockOff: gauge(
      'venue_clock_off',
      '1 while the times that a venue states are off, and its lists and notices make no listings',
      ['exchange'],
    ),
    listingAsOf: gauge('listing_as_of_timestamp_seconds', 'Unix time of the newest calendar of listings'),
    listingNotices: counter('listing_notices_total', 'Venue notices by outcome', ['exchange', 'outcome']),
    dependencyUp: gauge(
      'dependency_up',
      '1 while the dependency is available: the database for reads and writes, Redis for commands',
      ['dependency'],
      'min',
    ),
    collectorUp: gauge(
      'collector_up',
      '1 while the collector thread of this process runs; 0 in processes without one',
    ),
    collectorRestarts: counter('collector_restarts_total', 'Restarts of the collector thread after an error'),
    windowsStanding: gauge(
      'windows_standing',
      '1 for the mode of the rate limits: shared (in Redis) or apart (a local share)',
      ['standing'],
    ),
    leaseHeld: gauge(
      'lease_held',
      '1 while this process holds the lock of a job that one process does: engine or alerts',
      ['lease'],
    ),
    clusterMessages: counter('cluster_messages_total', 'Messages between processes, by outcome', [
      'kind',
      'outcome',
    ]),
    waitingSamples: gauge(
      'waiting_samples',
      'Minutes of depth samples waiting to be stored while the database is unavailable',
    ),
    droppedSamples: counter(
      'dropped_samples_total',
      'Minutes of depth samples dropped because the queue was full',
    ),
    streamConnections: gauge('stream_connections', 'Open streams', ['operation']),
    streamLagSeconds: histogram(
      'stream_lag_seconds',
      'Age of a snapshot, beyond the delay of the plan, when its changes were written to all streams of a query',
      [],
      [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
    ),
    streamDrops: counter(
      'stream_drops_total',
      'Times that a stream left out events because its client read too slowly',
      ['operation'],
    ),
    alertRules: gauge('alert_rules', 'Alert rules by state, as seen by the process that evaluates them', [
      'state',
    ]),
    alertEvaluationSeconds: histogram(
      'alert_evaluation_seconds',
      'Time to evaluate the rules of one list on one snapshot, pauses for other work included',
      ['list'],
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    ),
    alertLagSeconds: histogram(
      'alert_lag_seconds',
      'Age of a snapshot, beyond the delay of the plan, when its alerts were stored',
      [],
      [0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300],
    ),
    alertEvents: counter('alert_events_total', 'Alerts that were stored for delivery', ['list', 'kind']),
    alertsLeftOut: counter(
      'alerts_left_out_total',
      'Alerts that were only counted, or dropped while they waited, because of the limits of their account',
    ),
    alertDeliveries: counter('alert_deliveries_total', 'Attempts to deliver an alert', ['channel', 'result']),
    alertsWaiting: gauge('alerts_waiting', 'Deliveries of alerts that wait'),
    requests: counter('http_requests_total', 'Requests answered', ['operation', 'status']),
    requestSeconds: histogram(
      'http_request_seconds',
      'Time to answer, of one request in 64',
      ['path'],
      [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5],
    ),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
