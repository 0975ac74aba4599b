import type { Caller } from '../../accounts/keys/directory.ts';
import type { Take, TakeListener } from '../../accounts/windows/windows.ts';
import type { MaybeLater } from '../../base/maybe-later.ts';
import type { Admission } from './admission.ts';

/** Hears whether a request is admitted. One of the two is called, once, and without `this`. */
export interface AdmissionListener {
  onAdmitted(this: void, admission: Admission): void;
  onError(this: void, error: unknown): void;
}

/**
 * A request that waits until shared windows have decided it. One object instead of three promises with their functions:
 * those cost more CPU time than the request's part of the call to Redis.
 */
export class AwaitedAdmission implements TakeListener {
  readonly #caller: Caller;
  readonly #decided: (caller: Caller, take: Take) => MaybeLater<Admission>;
  readonly #listener: AdmissionListener;

  constructor(
    caller: Caller,
    decided: (caller: Caller, take: Take) => MaybeLater<Admission>,
    listener: AdmissionListener,
  ) {
    this.#caller = caller;
    this.#decided = decided;
    this.#listener = listener;
  }

  onTake(take: Take): void {
    const { onAdmitted, onError } = this.#listener;
    let admission: MaybeLater<Admission>;
    try {
      admission = this.#decided(this.#caller, take);
    } catch (error) {
      onError(error);
      return;
    }
    if (admission instanceof Promise) admission.then(onAdmitted, onError);
    else onAdmitted(admission);
  }

  onError(error: unknown): void {
    this.#listener.onError(error);
  }
}
