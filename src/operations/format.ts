import { choice } from '../query/kinds.ts';
import type { Parameter } from '../query/parameter.ts';
import type { FlatRows } from './answer/flat-rows.ts';

/** A format of answers besides JSON. */
export type FileFormat = 'csv' | 'parquet';
export type Format = 'json' | FileFormat;

export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
};

/** The formats that an operation answers in besides JSON. */
export interface FileFormats {
  names: readonly FileFormat[];
  /** The rows of a whole `data`, for the example in the API description. */
  flat(data: unknown): FlatRows;
}

/** The parameter that chooses a format. Only REST has it: it changes how an answer is written, not what it says. */
export function formatParameter({ names }: FileFormats): Parameter<Format> {
  return {
    ...choice(
      'format',
      ['json', ...names],
      `Format of the answer; default what Accept prefers (${names.map((name) => MEDIA_TYPES[name]).join(', ')}), else json`,
    ),
    isRestOnly: true,
  };
}
