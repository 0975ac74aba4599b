import { openScratchFile } from '../../src/storage/scratch-file.ts';

/** Runs with a limit on file sizes: writes beyond the limit, then reads everything. */
const [folder = '', total = '0'] = process.argv.slice(2);
const RECORD_BYTES = 1_000;
let refused = 0;
const scratch = openScratchFile(folder, () => refused++);
const records = Number(total) / RECORD_BYTES;
for (let i = 0; i < records; i++)
  scratch.write(i * RECORD_BYTES, new Uint8Array(RECORD_BYTES).fill((i % 250) + 1));
// Overwrites the first chunk, which was written to the file.
scratch.write(0, new Uint8Array(RECORD_BYTES).fill(255));
let wrong = 0;
for (let i = 0; i < records; i++) {
  const read = new Uint8Array(RECORD_BYTES);
  scratch.read(i * RECORD_BYTES, read);
  if (!read.every((byte) => byte === (i === 0 ? 255 : (i % 250) + 1))) wrong++;
}
const beyond = new Uint8Array(10).fill(1);
scratch.read(records * RECORD_BYTES, beyond);
scratch.close();
console.log(JSON.stringify({ refused, wrong, beyond: [...beyond] }));
