import {
  listOf,
  nullable,
  number,
  objectOf,
  optional,
  recordOf,
  ShapeError,
  text,
  unparsed,
} from '../../base/parsing.ts';
import type { PairName } from '../../engines/backtest/pair-view.ts';
import type { BacktestRule } from '../../engines/backtest/rule.ts';
import type { SampledContract } from '../../history/samples/model.ts';
import type { BacktestBasis, BacktestHost, BacktestReport, BlockRequest } from './host.ts';
import { bytes, sizeUsd } from './replies.ts';

export interface HostCall {
  number: number;
  method: Exclude<keyof BacktestHost, 'close'>;
  args: readonly unknown[];
}

/** Runs a call with parsed arguments. `moved` are buffers to hand over to the caller's thread instead of copying. */
export async function runCall(
  host: BacktestHost,
  { method, args }: { method: unknown; args: unknown },
): Promise<{ result: unknown; moved: ArrayBuffer[] }> {
  const [first, second, third] = listOf(unparsed)(args, 'args');
  switch (method) {
    case 'begin':
      return copied(
        await host.begin(
          parseBasis(first, 'basis'),
          nullable(bytes)(second, 'state'),
          parseContracts(third, 'contracts'),
        ),
      );
    case 'take': {
      const outcome = await host.take(parseBlockRequest(first, 'request'));
      return { result: outcome, moved: outcome.reports.flatMap(buffersOf) };
    }
    case 'report': {
      const report = await host.report();
      return { result: report, moved: buffersOf(report) };
    }
    case 'state':
      return copied(await host.state());
    case 'pair': {
      const view = await host.pair(parsePairName(first, 'pair'));
      return { result: view, moved: view ? [view.spreadsPct.buffer as ArrayBuffer] : [] };
    }
    case 'pack':
      return copied(await host.pack(listOf(bytes)(first, 'blocks')));
    default:
      throw new ShapeError(`there is no method "${String(method)}"`);
  }
}

const copied = (result: unknown) => ({ result, moved: [] });

function buffersOf({ sizes }: BacktestReport): ArrayBuffer[] {
  return sizes.flatMap(({ parts }) => [
    ...[...parts.numbers.values()].map((column) => column.buffer as ArrayBuffer),
    ...[...parts.texts.values()].map(({ codes }) => codes.buffer as ArrayBuffer),
  ]);
}

export const parsePairName = objectOf<PairName>({ coin: text, exchangeA: text, exchangeB: text, sizeUsd });

const parseBasis = objectOf<BacktestBasis>({
  rule: objectOf<BacktestRule>({
    windowMinutes: number,
    medianMinutes: number,
    medianMinimum: number,
    limitMinutes: number,
    leastProfitPct: number,
    rangeStepMinutes: number,
  }),
  takerFeesPct: recordOf(number),
});

const parseContracts = listOf(
  objectOf<SampledContract>({
    id: number,
    exchange: text,
    venueSymbol: text,
    coin: text,
    quote: text,
    takerFeePct: optional(number),
  }),
);

const parseBlockRequest = objectOf<BlockRequest>({
  block: bytes,
  contracts: parseContracts,
  reportAt: listOf(number),
});
