import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../../base/problems.ts';
import { MINUTE_MS } from '../../../base/times.ts';
import type { Entrance } from '../../../operations/access/entrance.ts';
import { AnswerCache } from '../../http/answers/answer-cache.ts';
import { Body } from '../../http/answers/body.ts';
import { sendBody } from '../../http/answers/send-body.ts';
import { VISITOR } from '../visitor.ts';
import { type Card, drawCard } from './card.ts';
import { arbitrageCard, coinCard, fundingCard, homeCard } from './contents.ts';

const FOLDER = '/cards';
/** A card is drawn again when it is older than this and requested. */
const LIFETIME_MS = 5 * MINUTE_MS;
/** Some 250 cards of 30 kB. */
const CACHE_BYTES = 8 * 1024 * 1024;
const HEADERS = {
  'content-type': 'image/png',
  'cache-control': 'public, max-age=300',
} as const;

/** The path of the card of a page. Pages without figures of their own share that of the start page. */
export function cardPath(pagePath: string, named: Readonly<Record<string, string>>): string {
  if (pagePath.startsWith('/funding/:coin'))
    return `${FOLDER}/funding/${encodeURIComponent(named.coin ?? '')}.png`;
  if (pagePath.startsWith('/funding')) return `${FOLDER}/funding.png`;
  if (pagePath.startsWith('/arbitrage')) return `${FOLDER}/arbitrage.png`;
  return `${FOLDER}/home.png`;
}

/** Serves the pictures of links. Each is drawn once in five minutes at most, whoever asks. */
export function serveCards(server: FastifyInstance, entrance: Entrance): void {
  const drawn = new AnswerCache<{ body: Body; dueMs: number; bytes: number }>(CACHE_BYTES);
  const underWay = new Map<string, Promise<Body>>();

  const draw = async (key: string, load: () => Promise<Card>): Promise<Body> => {
    const png = await drawCard(await load());
    const body = new Body(png);
    drawn.set(key, { body, dueMs: entrance.clock.monotonicMs() + LIFETIME_MS, bytes: png.length });
    return body;
  };
  /** Requests that come while a card is drawn wait for it. */
  const bodyOf = (key: string, load: () => Promise<Card>): Body | Promise<Body> => {
    const known = drawn.get(key);
    if (known && known.dueMs > entrance.clock.monotonicMs()) return known.body;
    const waiting = underWay.get(key) ?? draw(key, load).finally(() => underWay.delete(key));
    underWay.set(key, waiting);
    return waiting;
  };
  const route = (
    path: string,
    keyOf: (request: FastifyRequest) => string,
    load: (request: FastifyRequest) => Promise<Card>,
  ) =>
    server.route({
      method: ['GET', 'HEAD'],
      url: `${FOLDER}/${path}.png`,
      handler: async (request: FastifyRequest, reply: FastifyReply) =>
        sendBody(request, reply, await bodyOf(keyOf(request), () => load(request)), HEADERS),
    });

  route(
    'home',
    () => 'home',
    () => homeCard(entrance),
  );
  route(
    'funding',
    () => 'funding',
    () => fundingCard(entrance),
  );
  route(
    'arbitrage',
    () => 'arbitrage',
    () => arbitrageCard(entrance),
  );
  const coinOf = ({ params }: FastifyRequest) => (params as { coin: string }).coin;
  route(
    'funding/:coin',
    (request) => knownCoin(entrance, coinOf(request)),
    (request) => coinCard(entrance, coinOf(request)),
  );
}

/** The key of a coin's card. Only coins that exist have one, so the number of cards is bounded. */
function knownCoin({ data, clock }: Entrance, coin: string): string {
  const table = data.coins.at(VISITOR.plan.delaySeconds, clock.nowMs())?.table;
  for (let row = 0; row < (table?.rowCount ?? 0); row++)
    if (table?.text('coin', row) === coin) return `coin ${coin}`;
  throw new Problem('not-found', 'There is no such coin.');
}
