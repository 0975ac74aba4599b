import type { Counted, Take, TakeListener, WindowHolder } from '../../windows.ts';
import { undecided } from '../refusals.ts';
import type { HolderWindows } from '../replies.ts';
import type { RedisWindowsOptions } from '../windows-options.ts';
import type { NamesOfHolder } from './holder-names.ts';
import { tell, tellError } from './listeners.ts';
import { receiptOf, statesOf } from './receipts.ts';
import { TakeBatch, type Wish, type WishReply } from './take-batch.ts';

/** For a request that has no number yet. */
export const NO_NUMBER = 0;

/** Requests that one Redis server decides. A request that it did not decide is tried again, under the same name. */
export class SharedTakes {
  readonly #options: RedisWindowsOptions;
  readonly #batch: TakeBatch;

  constructor(options: RedisWindowsOptions) {
    this.#options = options;
    this.#batch = new TakeBatch(options);
  }

  /** `number` is used only if an earlier call may have counted the request: `isRepeated`. */
  decide(
    holder: WindowHolder,
    names: NamesOfHolder,
    number: number,
    isRepeated: boolean,
    attempt: number,
    listener: TakeListener,
  ): void {
    const open = isRepeated ? undefined : this.#batch.openWish(holder);
    if (open?.attempt === attempt) this.#batch.join(open, listener);
    else
      this.#batch.add({
        holder,
        names,
        listeners: [listener],
        attempt,
        firstNumber: isRepeated ? number : NO_NUMBER,
        isRepeated,
        onReply: this.#onReply,
        onError: failAll,
      });
  }

  /** Reads both windows, in one call with the requests of this turn. */
  read(holder: WindowHolder): Promise<WishReply> {
    return new Promise((resolve, reject) => {
      this.#batch.add({
        holder,
        names: this.#options.names.of(holder),
        listeners: [],
        attempt: 0,
        firstNumber: NO_NUMBER,
        isRepeated: false,
        onReply: (_, reply) => resolve(reply),
        onError: (_, error) => reject(error),
      });
    });
  }

  /** Refuses a request that could not be decided. */
  giveUp(holder: WindowHolder, number: number, isRepeated: boolean): Counted {
    const { counted, names, clock } = this.#options;
    if (isRepeated) counted.slot(names.of(holder).windows).removeIfCounted.push(number);
    return undecided(holder, clock.nowMs());
  }

  readonly #onReply = (wish: Wish, reply: WishReply): void => {
    const { modeSwitch, directory, fill, layout } = this.#options;
    const { holder, isRepeated } = wish;
    const fail = (error: unknown) => failAll(wish, error);
    switch (reply.outcome) {
      case 'lost':
        this.#decideAgain(wish, true);
        break;
      case 'unsent':
        this.#decideAgain(wish, isRepeated);
        break;
      case 'month-unknown':
        fill(holder.slotId, reply).then((isFilled) => {
          if (isFilled) this.#decideAgain(wish, isRepeated);
          else tellAll(wish, this.giveUp(holder, wish.firstNumber, isRepeated));
        }, fail);
        break;
      case 'other-epoch':
        modeSwitch.leaveShared();
        this.#decideAgain(wish, isRepeated);
        break;
      case 'other-layout':
        layout.adopt(reply.version).then(() => this.#decideAgain(wish, isRepeated), fail);
        break;
      case 'revoked':
        tellAll(wish, { allowed: false, spent: 'revoked' });
        break;
      case 'outdated':
        directory
          .catchUpTo(reply.revision)
          .then(() => tellAll(wish, { allowed: false, spent: 'outdated' }), fail);
        break;
      default:
        this.#resolve(wish, reply);
    }
  };

  #decideAgain({ holder, listeners, attempt, firstNumber }: Wish, isRepeated: boolean): void {
    const { all } = this.#options;
    for (const [place, listener] of listeners.entries())
      all.decide(holder, isRepeated ? firstNumber + place : NO_NUMBER, isRepeated, attempt + 1, listener);
  }

  #resolve({ holder, names, listeners, firstNumber }: Wish, reply: HolderWindows): void {
    const { counted, ledger, clock } = this.#options;
    const { passed, nowMs, monthStartMs, monthUsed, outcome } = reply;
    const slot = counted.slot(names.windows);
    slot.reportedMonth = { monthStartMs, used: monthUsed };
    if (passed > 0) {
      counted.addTo(slot, firstNumber, clock.latestIn(nowMs), passed);
      ledger.count(holder, monthStartMs, nowMs, passed);
    }
    for (let place = 0; place < passed; place++) {
      // As if each had been counted by a call of its own.
      const states = statesOf(holder, reply, passed - 1 - place);
      const receipt = receiptOf(holder, firstNumber + place, names.layoutVersion, nowMs, monthStartMs);
      const listener = listeners[place];
      if (listener) tell(listener, { allowed: true, states, receipt });
    }
    if (passed === listeners.length) return;
    const states = statesOf(holder, reply, 0);
    const spent = outcome === 'minute-spent' ? 'minute' : 'month';
    const refused: Take = { allowed: false, spent, retryAfterSeconds: states[spent].resetSeconds, states };
    for (const listener of listeners.slice(passed)) tell(listener, refused);
  }
}

function tellAll({ listeners }: Wish, take: Take): void {
  for (const listener of listeners) tell(listener, take);
}

function failAll({ listeners }: Wish, error: unknown): void {
  for (const listener of listeners) tellError(listener, error);
}
