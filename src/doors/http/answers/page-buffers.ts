import type { Answer } from '../../../operations/operation.ts';

type Rows = NonNullable<Answer['rows']>;

/** Room for 100 rows of the widest table; longer pages are rarer and go another way. */
const BUFFER_BYTES = 128 * 1024;
const MAX_FREE = 64;
const [START, COMMA] = ['{"data":[', 0x2c];

/** What Buffer.write calls once it has found out the encoding, which takes as long as the writing of a row. */
interface Latin1Buffer extends Buffer {
  latin1Write(text: string, offset: number): number;
}

const free: Latin1Buffer[] = [];

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
  const buffer = free.pop() ?? (Buffer.allocUnsafeSlow(BUFFER_BYTES) as Latin1Buffer);
  const giveBack = () => {
    if (free.length < MAX_FREE) free.push(buffer);
  };
  const end = `],"meta":${metaJson}}`;
  const room = BUFFER_BYTES - end.length - 1;
  let at = buffer.latin1Write(START, 0);
  for (let i = 0; i < numbers.length; i++) {
    const row = table.rowJson(numbers[i] as number);
    if (at + row.length > room) {
      giveBack();
      return null;
    }
    if (i > 0) buffer[at++] = COMMA;
    at += buffer.latin1Write(row, at);
  }
  if (!table.isAscii(numbers)) {
    giveBack();
    return null;
  }
  at += buffer.latin1Write(end, at);
  return { bytes: buffer.subarray(0, at), giveBack };
}
