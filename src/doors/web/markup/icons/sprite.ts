import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const sprite = (name: string) => readFileSync(join(import.meta.dirname, `../../client/${name}.svg`), 'utf8');

/** The marks of venues (`v-okx`) and coins (`c-btc`), each with a `<view>`. NOTICE.txt has their licences. */
const SPRITES: readonly string[] = [sprite('venues'), sprite('coins')];

interface View {
  x: number;
  y: number;
  size: number;
  sprite: string;
}

const VIEWS: ReadonlyMap<string, View> = new Map(
  SPRITES.flatMap((sprite) =>
    [...sprite.matchAll(/<view id="([a-z0-9-]+)" viewBox="([\d.]+) ([\d.]+) ([\d.]+) [\d.]+"\/>/g)].map(
      ([, id = '', x, y, size]) => [id, { x: Number(x), y: Number(y), size: Number(size), sprite }] as const,
    ),
  ),
);

export const MARKS: readonly string[] = [...VIEWS.keys()];

export function hasMark(id: string): boolean {
  return VIEWS.has(id);
}

/** The mark of one view as a file of its own; null if the sprite has none. */
export function markFile(id: string): string | null {
  const view = VIEWS.get(id);
  if (!view) return null;
  const { x, y, size, sprite } = view;
  const cells = [...sprite.matchAll(/<svg x="(\d+)" y="(\d+)" width="24" height="24"[\s\S]*?<\/svg>/g)];
  const cell = cells.find(([, left, top]) => within(x, Number(left)) && within(y, Number(top)));
  if (!cell) return null;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${size} ${size}">${cell[0]}</svg>`;
}

/** A view may crop its cell, which is 24 wide. */
function within(at: number, start: number): boolean {
  return at >= start && at < start + 24;
}
