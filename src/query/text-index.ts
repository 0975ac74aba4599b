import { perSnapshot } from '../base/per-snapshot.ts';
import type { Table, TextData } from '../market/tables/table.ts';
import { addAll, type RowBits, wordsFor } from './row-bits.ts';

/** Finds the rows of a text column by their text. */
class TextIndex {
  readonly #codeOf = new Map<string, number>();
  readonly #rows: Uint32Array;
  readonly #starts: Uint32Array;
  readonly #words: number;
  /** Row sets of frequent texts, built on first use. */
  readonly #sets = new Map<number, RowBits>();

  constructor({ codes, values }: TextData) {
    this.#words = wordsFor(codes.length);
    // Code 0 is null, which no text matches.
    for (let code = 1; code < values.length; code++) this.#codeOf.set(values[code] as string, code);
    const starts = new Uint32Array(values.length + 1);
    for (let row = 0; row < codes.length; row++) {
      const after = (codes[row] as number) + 1;
      starts[after] = (starts[after] as number) + 1;
    }
    for (let code = 0; code < values.length; code++)
      starts[code + 1] = (starts[code + 1] as number) + (starts[code] as number);
    const next = starts.slice();
    this.#rows = new Uint32Array(codes.length);
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row] as number;
      const place = next[code] as number;
      this.#rows[place] = row;
      next[code] = place + 1;
    }
    this.#starts = starts;
  }

  /** The row set of a frequent text, shared: the caller must not change it. Null for a rare text. */
  ready(name: string): RowBits | null {
    const code = this.#codeOf.get(name);
    return code === undefined || this.#countOf(code) < this.#words ? null : this.#setOf(code);
  }

  /** Adds the rows that have one of the texts. */
  add(names: readonly string[], bits: RowBits): void {
    for (const name of names) {
      const code = this.#codeOf.get(name);
      if (code === undefined) continue;
      if (this.#countOf(code) < this.#words) this.#addRows(code, bits);
      else addAll(bits, this.#setOf(code));
    }
  }

  #countOf(code: number): number {
    return (this.#starts[code + 1] as number) - (this.#starts[code] as number);
  }

  #setOf(code: number): RowBits {
    let bits = this.#sets.get(code);
    if (!bits) {
      bits = new Uint32Array(this.#words);
      this.#addRows(code, bits);
      this.#sets.set(code, bits);
    }
    return bits;
  }

  #addRows(code: number, bits: RowBits): void {
    const end = this.#starts[code + 1] as number;
    // Neighbouring rows often have the same text. Collecting their bits saves most of the stores, each of which would wait
    // for the one before.
    const rows = this.#rows;
    let word = 0;
    let collected = 0;
    for (let i = this.#starts[code] as number; i < end; i++) {
      const row = rows[i] as number;
      if (row >>> 5 !== word) {
        bits[word] = (bits[word] as number) | collected;
        word = row >>> 5;
        collected = 0;
      }
      collected |= 1 << (row & 31);
    }
    if (word < bits.length) bits[word] = (bits[word] as number) | collected;
  }
}

export function textIndex(table: Table, column: string): TextIndex {
  const data = table.texts(column);
  return indexOf(data.codes, data);
}

const indexOf = perSnapshot((_codes: Uint32Array, data: TextData) => new TextIndex(data));
