import { PerpwireError } from '../errors.ts';
import type { Terminal } from './command.ts';

const NUMBER = new Intl.NumberFormat('en-US');
const shown = (value: number) => NUMBER.format(value);

/** What is left of the windows, from the header `RateLimit: minute;r=119;t=60, month;r=99000;t=1200000`. */
function remainingIn(window: string, rateLimit: string | null): number | null {
  const found = new RegExp(`${window};r=(\\d+)`).exec(rateLimit ?? '')?.[1];
  return found === undefined ? null : Number(found);
}

/** Says on standard error what reading all pages costs, and how far it is. */
export class PageProgress {
  readonly #stderr: Terminal['stderr'];
  #pages = 0;
  #rows = 0;

  constructor({ stderr }: Pick<Terminal, 'stderr'>) {
    this.#stderr = stderr;
  }

  /** Called with every page. Throws after the first if the rest would exceed the month. */
  note(rowCount: number, total: number | null, rateLimit: string | null): void {
    this.#pages++;
    this.#rows += rowCount;
    if (total === null || rowCount === 0 || (this.#pages === 1 && rowCount >= total)) return;
    if (this.#pages === 1) this.#announce(Math.ceil(total / rowCount) - 1, total, rateLimit);
    const { isTTY } = this.#stderr;
    if (isTTY) this.#stderr.write(`\r${shown(this.#rows)} of ${shown(total)} rows`);
    if (isTTY && this.#rows >= total) this.#stderr.write('\n');
  }

  #announce(more: number, total: number, rateLimit: string | null): void {
    const minute = remainingIn('minute', rateLimit);
    const month = remainingIn('month', rateLimit);
    if (month !== null && more > month)
      throw new PerpwireError(
        'quota-exhausted',
        `All ${shown(total)} rows need ${shown(more)} more requests, and ${shown(month)} are left this month; use filters or leave out --all.`,
      );
    const left =
      minute === null || month === null
        ? ''
        : `; ${shown(minute)} are left in this minute, ${shown(month)} this month`;
    const waits = minute !== null && more > minute ? ', so it will wait for the next minute' : '';
    this.#stderr.write(
      `perpwire: ${shown(total)} rows need ${shown(more)} more ${more === 1 ? 'request' : 'requests'}${left}${waits}\n`,
    );
  }
}
