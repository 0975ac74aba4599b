import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { Universe } from '../../../sim/contracts.ts';
import { quoteAt } from '../../../sim/market.ts';
import { SIM_VENUES } from '../../../sim/venues/registry.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { encodeDay, encodeVenue, readDay, readVenue, TapeBlockError } from './block.ts';
import { premiumPct, rounded, TAPE_COLUMNS, TapeSeries } from './series.ts';

/** A midnight. */
const DAY = Math.floor(Date.UTC(2026, 10, 14) / MINUTE_MS);
const { NaN: UNKNOWN } = Number;

function assertSame(got: TapeSeries, wanted: TapeSeries): void {
  for (const name of TAPE_COLUMNS)
    assert.deepEqual([...got.column(name)], [...wanted.column(name)], `column ${name}`);
}

function readBack(blocks: readonly Buffer[], startMinute: number, into: TapeSeries): void {
  for (const [part, block] of blocks.entries()) readDay({ block, part, startMinute }, into);
}

const sizeOf = (series: TapeSeries) => encodeDay(series).reduce((sum, { length }) => sum + length, 0);

function daily(series: TapeSeries): TapeSeries {
  const read = new TapeSeries(series.fromMinute, series.minutes);
  readBack(encodeDay(series), series.fromMinute, read);
  return read;
}

/** A series of which only the rates are given; every minute that has one also has the other figures. */
function ofRates(rates: readonly number[], fromMinute = DAY): TapeSeries {
  const series = new TapeSeries(fromMinute, rates.length);
  for (const [i, rate] of rates.entries()) {
    if (Number.isNaN(rate)) continue;
    series.column('ratePct')[i] = rate;
    series.column('intervalHours')[i] = 8;
    series.column('nextFundingAtMs')[i] = (DAY + 480) * MINUTE_MS;
    series.column('premiumPct')[i] = 0.012;
    const five = Math.floor((fromMinute + i) / 5) - series.fromFive;
    series.column('markPrice')[five] = 95_123.45;
    series.column('openInterestUsdt')[five] = 1_234_500;
    series.column('volume24hUsdt')[five] = 0;
  }
  return series;
}

/** -0 is no figure of a venue, and JSON has none. */
const figure = fc.oneof(
  fc.integer({ min: -1e6, max: 1e6 }).map((units) => units / 1e6),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.constantFrom(0, 0.01, -0.375, 0.00792386885342, 1e-18, 5e-324, 1.7976931348623157e308),
);

suite('a day of a contract', () => {
  test('reads back exactly, whatever the figures and gaps are', () => {
    const figures = fc.array(fc.oneof({ weight: 3, arbitrary: figure }, fc.constant(UNKNOWN)), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1439 }),
        figures,
        fc.array(figures, { minLength: 6, maxLength: 6 }),
        (offset, rates, others) => {
          const series = ofRates(rates, DAY + offset);
          for (const [i, name] of TAPE_COLUMNS.slice(1).entries()) {
            const column = series.column(name);
            for (let at = 0; at < column.length; at++) {
              const isPresent =
                column.length === rates.length ? !Number.isNaN(rates[at]) : !Number.isNaN(column[at]);
              if (isPresent) column[at] = others[i]?.[at % (others[i]?.length ?? 1)] as number;
            }
          }
          assertSame(daily(series), series);
        },
      ),
    );
  });

  test('a rate with more digits than a float carries exactly is stored as the float', () => {
    const rates = [0.1 + 0.2, Math.PI, -1 / 3, 1e-300, 0.01];
    assert.deepEqual([...daily(ofRates(rates)).column('ratePct')], rates);
  });

  test('a gap is a gap: nothing is read where nothing was written', () => {
    const rates = [0.01, UNKNOWN, UNKNOWN, 0.01, 0.01, UNKNOWN, 0.02];
    const read = daily(ofRates(rates));
    assert.deepEqual([...read.column('ratePct')], rates);
    assert.deepEqual([...read.column('intervalHours')], [8, UNKNOWN, UNKNOWN, 8, 8, UNKNOWN, 8]);
    assert.deepEqual([...read.column('markPrice')], [95_123.45, 95_123.45]);
  });

  test('a day without any minute', () => {
    const series = new TapeSeries(DAY, 1440);
    assertSame(daily(series), series);
  });

  test('a part of a day is that part of the whole day, and only the columns that are wanted', () => {
    const series = ofRates(Array.from({ length: 1440 }, (_, i) => (i % 7 === 3 ? UNKNOWN : i / 1e4)));
    const part = new TapeSeries(DAY + 333, 100, ['ratePct', 'markPrice']);
    readBack(encodeDay(series), DAY, part);
    assert.deepEqual([...part.column('ratePct')], [...series.column('ratePct').slice(333, 433)]);
    assert.deepEqual([...part.column('markPrice')], [...series.column('markPrice').slice(66, 87)]);
    assert.equal(part.has('premiumPct'), false);
  });

  test('a minute that costs nothing: figures that stay the same take no space', () => {
    const [hour, day] = [60, 1440].map((minutes) => sizeOf(ofRates(Array(minutes).fill(0.01))));
    assert.ok((day ?? 0) <= (hour ?? 0) + 4, `${hour} and ${day} bytes`);
  });

  test('a damaged, cut or foreign block is refused', () => {
    const [block = Buffer.alloc(0)] = encodeDay(ofRates(Array.from({ length: 200 }, (_, i) => Math.sin(i))));
    const read = (bytes: Uint8Array) => readDay({ block: bytes, part: 0, startMinute: DAY }, into());
    const into = () => new TapeSeries(DAY, 200);
    for (const at of [8, block.length >> 1, block.length - 1]) {
      const damaged = Buffer.from(block);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 0x55, at);
      assert.throws(() => read(damaged), TapeBlockError, `byte ${at}`);
    }
    assert.throws(() => read(block.subarray(0, block.length - 5)), TapeBlockError);
    assert.throws(() => read(Buffer.from('no block')), TapeBlockError);
  });
});

suite('a block of a venue', () => {
  const contracts = new Map([
    [900, ofRates([0.01, 0.02, UNKNOWN])],
    [7, ofRates([UNKNOWN, -0.3, 0])],
    [12, ofRates([0.5, 0.5, 0.5])],
  ]);
  const block = encodeVenue(contracts);

  test('has each contract by its number', () => {
    const read = new Map([...contracts.keys()].map((id) => [id, new TapeSeries(DAY, 3)]));
    readVenue(block, DAY, (id) => read.get(id));
    for (const [id, series] of contracts) assertSame(read.get(id) as TapeSeries, series);
  });

  test('one contract is read without the others', () => {
    const series = new TapeSeries(DAY, 3);
    readVenue(block, DAY, (id) => (id === 12 ? series : undefined));
    assert.deepEqual([...series.column('ratePct')], [0.5, 0.5, 0.5]);
  });

  test('no contract at all', () => {
    readVenue(encodeVenue(new Map()), DAY, () => assert.fail('there is none'));
  });
});

suite('what is stored of a figure', () => {
  test('the premium to a thousandth of a percent; unknown without a mark or an index price', () => {
    assert.equal(premiumPct(100.05, 100), 0.05);
    assert.equal(premiumPct(99.98766, 100), -0.012);
    assert.equal(premiumPct(99.999999, 100), 0);
    assert.ok(Object.is(premiumPct(99.999999, 100), 0));
    assert.ok(Number.isNaN(premiumPct(UNKNOWN, 100)));
    assert.ok(Number.isNaN(premiumPct(100, UNKNOWN)));
    assert.ok(Number.isNaN(premiumPct(100, 0)));
  });

  test('seven digits of a mark price, five of open interest and volume', () => {
    assert.equal(rounded('markPrice', 95_123.456789), 95_123.46);
    assert.equal(rounded('openInterestUsdt', 123_456_789.12), 123_460_000);
    assert.equal(rounded('volume24hUsdt', 0), 0);
  });
});

test('a day of 9,000 contracts takes at most 30 MB', (context) => {
  // The rates, premiums, marks, open interests and volumes of the simulator at the end of each minute. Its rates change in
  // 98 of 100 minutes, its premiums in 46, and mark, open interest and volume nearly every five minutes.
  const universe = new Universe(1, 120);
  let [bytes, count] = [0, 0];
  for (const { profile } of SIM_VENUES) {
    const some = universe.at(profile, DAY * MINUTE_MS).filter((_, i) => i % 40 === 0);
    for (const contract of some) {
      const series = new TapeSeries(DAY, 1440);
      for (let minute = 0; minute < 1440; minute++) {
        const quote = quoteAt(contract, (DAY + minute) * MINUTE_MS + 55_000);
        series.column('ratePct')[minute] = quote.rateE8 / 1e6;
        series.column('intervalHours')[minute] = quote.intervalHours;
        series.column('nextFundingAtMs')[minute] = quote.nextFundingAtMs;
        series.column('premiumPct')[minute] = premiumPct(quote.markPrice, quote.indexPrice);
        if (minute % 5 !== 4) continue;
        const five = (minute - 4) / 5;
        const unitUsd = contract.contractSize * (contract.isInverse ? 1 : quote.markPrice);
        series.column('markPrice')[five] = rounded('markPrice', quote.markPrice);
        series.column('openInterestUsdt')[five] = rounded(
          'openInterestUsdt',
          quote.openInterestContracts * unitUsd,
        );
        series.column('volume24hUsdt')[five] = rounded('volume24hUsdt', quote.volume24hUsd);
      }
      bytes += sizeOf(series);
      count++;
    }
  }
  const megabytes = ((bytes / count) * 9000) / 1e6;
  context.diagnostic(
    `${count} contracts, ${Math.round(bytes / count)} bytes each, ${megabytes.toFixed(1)} MB`,
  );
  assert.ok(count >= 80 && megabytes <= 30, `${count} contracts, ${megabytes} MB a day`);
});
