import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { differenceOf, type Picture, readPng, smallPng } from './picture.ts';
import { type Look, nameOfLook } from './site.ts';

const FOLDER = join(import.meta.dirname, 'approved');
const MADE_WITH = join(FOLDER, 'made-with.json');
const RESULTS = join(import.meta.dirname, '../../../test-results/looks');
/** Share of the pixels of a picture that may differ. */
export const TOLERANCE = 0.001;

export function approve(look: Look, picture: Picture): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${nameOfLook(look)}.png`), smallPng(picture));
}

/** Removes the approved pictures that no page has any more. */
export function removeOthers(names: ReadonlySet<string>): void {
  for (const name of approvedNames()) if (!names.has(name)) rmSync(join(FOLDER, `${name}.png`));
}

export function approvedNames(): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.png'))
    .map((file) => file.slice(0, -'.png'.length));
}

export function approvedBytes(): number {
  return approvedNames().reduce((sum, name) => sum + statSync(join(FOLDER, `${name}.png`)).size, 0);
}

export function noteBrowser(chromium: string): void {
  writeFileSync(MADE_WITH, `${JSON.stringify({ chromium }, null, 2)}\n`);
}

export function browserOfPictures(): string {
  return (JSON.parse(readFileSync(MADE_WITH, 'utf8')) as { chromium: string }).chromium;
}

/** The share of pixels that differ from the approved picture. If it is too large, both and the difference are stored. */
export function compare(look: Look, now: Picture): number {
  const name = nameOfLook(look);
  const { share, picture } = differenceOf(readPng(readFileSync(join(FOLDER, `${name}.png`))), now);
  if (share > TOLERANCE) {
    mkdirSync(RESULTS, { recursive: true });
    writeFileSync(join(RESULTS, `${name}.now.png`), smallPng(now));
    writeFileSync(join(RESULTS, `${name}.difference.png`), smallPng(picture));
  }
  return share;
}
