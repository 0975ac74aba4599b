import { textOf } from '../fields.ts';
import { topStream } from '../held-tops.ts';
import { type Contract, emptyBatch, refusalOf } from '../observations.ts';
import { BadReply, listOf, optionalRow, rowOf } from '../reading.ts';
import { FUNDING_TOPICS, type StreamSession, TOP_TOPICS } from '../venue.ts';
import { parseFunding, parseTicker } from './parse.ts';
import { CHANNELS, CONTRACTS_PER_SOCKET } from './wire.ts';

const CHANNELS_PER_REQUEST = 100;

function openSession(contracts: readonly Contract[]): StreamSession {
  const channels = contracts.flatMap(({ venueSymbol }) => CHANNELS.map((name) => `${name}.${venueSymbol}`));
  const requests = Array.from({ length: Math.ceil(channels.length / CHANNELS_PER_REQUEST) }, (_, i) => ({
    id: i + 1,
    method: 'subscribe',
    params: { channels: channels.slice(i * CHANNELS_PER_REQUEST, (i + 1) * CHANNELS_PER_REQUEST) },
  }));
  return {
    opening: requests.map((request) => JSON.stringify(request)),
    receive: (message, context) => {
      const { id, method, code, channel: refused, result } = rowOf(message, 'message');
      // A socket that does not answer is closed at the third heartbeat.
      if (method === 'public/heartbeat')
        return {
          batch: emptyBatch(),
          replies: [JSON.stringify({ id, method: 'public/respond-heartbeat' })],
        };
      if (code !== 0) {
        const symbol = textOf(refused)?.split('.')[1];
        if (symbol === undefined) throw new BadReply(`the stream answered code ${code}`);
        return { batch: refusalOf(symbol, 'subscription refused') };
      }
      const { channel, instrument_name, data } = optionalRow(result);
      if (channel === 'ticker') return { batch: parseTicker(listOf(data, 'data'), context) };
      if (channel === 'funding')
        return { batch: parseFunding(instrument_name, listOf(data, 'data'), context) };
      return { batch: emptyBatch() };
    },
  };
}

export const tickersAndFunding = topStream({
  name: 'tickers and funding',
  gives: [...TOP_TOPICS, ...FUNDING_TOPICS],
  path: '/market',
  call: 'ticker.{instrument_name}, funding.{instrument_name}',
  contractsPerSocket: CONTRACTS_PER_SOCKET,
  open: openSession,
  heartbeat: null,
  sendsOnlyChanges: true,
});
