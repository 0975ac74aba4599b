import type { Answer } from '../../operations/operation.ts';

type Rows = NonNullable<Answer['rows']>;

/** Room for 100 rows of the widest table; longer pages are rarer and go another way. */
const BUFFER_BYTES = 128 * 1024;
const MAX_FREE = 64;
const [START, COMMA] = ['{"data":[', 0x2c];

const free: Buffer[] = [];

/** The bytes of one answer in a buffer that others use after it. */
export interface LentPage {
  readonly bytes: Buffer;
  /** When they have been sent or copied. */
  giveBack(): void;
}

/**
 * Writes a page of ready-made rows. Most questions are asked once, and putting their pages together as one text costs
 * twice the copying, into memory that is new each time. Null for pages that are too long or not plain ASCII.
 */
export function lentPage({ table, numbers }: Rows, metaJson: string): LentPage | null {
  let length = START.length + metaJson.length + 16;
  for (let i = 0; i < numbers.length; i++) length += table.rowJson(numbers[i] as number).length + 1;
  if (length > BUFFER_BYTES || !table.isAscii(numbers)) return null;
  const buffer = free.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
  let at = buffer.write(START, 'latin1');
  for (let i = 0; i < numbers.length; i++) {
    if (i > 0) buffer[at++] = COMMA;
    at += buffer.write(table.rowJson(numbers[i] as number), at, 'latin1');
  }
  at += buffer.write(`],"meta":${metaJson}}`, at, 'latin1');
  return {
    bytes: buffer.subarray(0, at),
    giveBack: () => {
      if (free.length < MAX_FREE) free.push(buffer);
    },
  };
}
