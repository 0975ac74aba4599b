import { startReceiver } from '../chaos/world/receiver.ts';
import { SECOND_MS } from '../src/base/times.ts';
import { isStreamed } from '../src/operations/operation.ts';
import { OPERATIONS } from '../src/operations/registry.ts';
import { openStream, type SseEvent } from '../test/streams/client.ts';
import { until } from '../test/support/until.ts';
import { withoutDrawn } from './calling.ts';
import type { Answered, Recording } from './recording.ts';
import type { World } from './world.ts';

const SNAPSHOTS = 3;
const STEP_MS = 30 * SECOND_MS;
/** Of the rate, in percent: some contracts cross it within an hour. */
const ALERT_BOUND_PCT = 0.01;

/** The messages that an alert sends to a web server from now on. */
export interface FollowedAlert {
  messages(): Recording;
  close(): Promise<void>;
}

export async function followAlert(world: World): Promise<FollowedAlert> {
  const alerts: unknown[] = [];
  const receiver = await startReceiver((alert) => alerts.push(alert));
  await world.createAlert(await world.newAccount('business'), receiver.url, ALERT_BOUND_PCT);
  return {
    messages: () => {
      // In an order of their own: several are on their way at a time.
      const body = alerts.map((alert) => withoutDrawn(JSON.stringify(alert, withoutIds))).toSorted();
      return new Map([
        ['live/alerts', [{ name: 'messages', status: 200, headers: {}, body: body.join('\n') }]],
      ]);
    },
    close: receiver.close,
  };
}

/** The events of every stream while three snapshots pass. */
export async function recordStreams(world: World): Promise<Recording> {
  const key = await world.newKey('business');
  const names = OPERATIONS.filter(isStreamed).map(({ path }) => path);
  const streams = await Promise.all(
    names.map((path) => openStream(`${world.address}/api/v1/stream${path}?limit=20`, key)),
  );
  try {
    for (let i = 0; i < SNAPSHOTS; i++) {
      await until(() => streams.every(({ events }) => events.length > i), `the events of snapshot ${i + 1}`);
      await world.pass(STEP_MS, STEP_MS / SNAPSHOTS);
    }
    const events = streams.map(
      ({ status, events: sent }, i): Answered => ({
        name: `GET /stream${names[i]}`,
        status,
        headers: {},
        // A heartbeat comes when nothing else was sent in real time.
        body: JSON.stringify(sent.filter(({ event }) => event !== 'heartbeat').map(eventOf)),
      }),
    );
    return new Map([['live/streams', events]]);
  } finally {
    for (const stream of streams) stream.close();
  }
}

function eventOf({ event, id, data }: SseEvent): object {
  return { event, id, data };
}

/** Ids of alerts and events are drawn at random. */
function withoutIds(name: string, value: unknown): unknown {
  return name === 'event_id' || name === 'alert_id' || name === 'id' ? '…' : value;
}
