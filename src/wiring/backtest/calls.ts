import type { PairName } from '../../engines/backtest/pair-view.ts';
import type { BacktestRule } from '../../engines/backtest/rule.ts';
import type { SampledContract } from '../../history/samples/model.ts';
import {
  bytesOf,
  bytesOrNull,
  listOf,
  MessageError,
  numberOf,
  numbersOf,
  objectOf,
  sizeOf,
  textOf,
} from './fields.ts';
import type { BacktestBasis, BacktestHost, BacktestReport, BlockRequest } from './host.ts';

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
  const [first, second, third] = listOf(args, 'args', (arg) => arg);
  switch (method) {
    case 'begin':
      return copied(await host.begin(basisOf(first), bytesOrNull(second, 'state'), contractsOf(third)));
    case 'take': {
      const outcome = await host.take(blockRequestOf(first));
      return { result: outcome, moved: outcome.reports.flatMap(buffersOf) };
    }
    case 'report': {
      const report = await host.report();
      return { result: report, moved: buffersOf(report) };
    }
    case 'state':
      return copied(await host.state());
    case 'pair': {
      const view = await host.pair(pairNameOf(first));
      return { result: view, moved: view ? [view.spreadsPct.buffer as ArrayBuffer] : [] };
    }
    case 'pack':
      return copied(await host.pack(listOf(first, 'blocks', (block) => bytesOf(block, 'block'))));
    default:
      throw new MessageError(`there is no method "${String(method)}"`);
  }
}

const copied = (result: unknown) => ({ result, moved: [] });

function buffersOf({ sizes }: BacktestReport): ArrayBuffer[] {
  return sizes.flatMap(({ parts }) => [
    ...[...parts.numbers.values()].map((column) => column.buffer as ArrayBuffer),
    ...[...parts.texts.values()].map(({ codes }) => codes.buffer as ArrayBuffer),
  ]);
}

export function pairNameOf(value: unknown): PairName {
  const { coin, exchangeA, exchangeB, sizeUsd } = objectOf(value, 'pair');
  return {
    coin: textOf(coin, 'coin'),
    exchangeA: textOf(exchangeA, 'exchangeA'),
    exchangeB: textOf(exchangeB, 'exchangeB'),
    sizeUsd: sizeOf(sizeUsd),
  };
}

function basisOf(value: unknown): BacktestBasis {
  const { rule, takerFeesPct } = objectOf(value, 'basis');
  return { rule: ruleOf(rule), takerFeesPct: numbersOf(takerFeesPct, 'takerFeesPct') };
}

function ruleOf(value: unknown): BacktestRule {
  const rule = objectOf(value, 'rule');
  return {
    windowMinutes: numberOf(rule.windowMinutes, 'windowMinutes'),
    medianMinutes: numberOf(rule.medianMinutes, 'medianMinutes'),
    medianMinimum: numberOf(rule.medianMinimum, 'medianMinimum'),
    limitMinutes: numberOf(rule.limitMinutes, 'limitMinutes'),
    leastProfitPct: numberOf(rule.leastProfitPct, 'leastProfitPct'),
    rangeStepMinutes: numberOf(rule.rangeStepMinutes, 'rangeStepMinutes'),
  };
}

function blockRequestOf(value: unknown): BlockRequest {
  const { block, contracts, reportAt } = objectOf(value, 'request');
  return {
    block: bytesOf(block, 'block'),
    contracts: contractsOf(contracts),
    reportAt: listOf(reportAt, 'reportAt', (minute) => numberOf(minute, 'reportAt')),
  };
}

function contractsOf(value: unknown): SampledContract[] {
  return listOf(value, 'contracts', (contract) => {
    const { id, exchange, venueSymbol, coin, quote, takerFeePct } = objectOf(contract, 'contract');
    return {
      id: numberOf(id, 'id'),
      exchange: textOf(exchange, 'exchange'),
      venueSymbol: textOf(venueSymbol, 'venueSymbol'),
      coin: textOf(coin, 'coin'),
      quote: textOf(quote, 'quote'),
      ...(takerFeePct === undefined ? {} : { takerFeePct: numberOf(takerFeePct, 'takerFeePct') }),
    };
  });
}
