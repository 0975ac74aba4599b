import { Canvas, type Ink, type TextStyle, textWidth } from './canvas.ts';

/** What a card shows: a title, and up to five rows of live figures. */
export interface Card {
  title: string;
  /** What the figures of the rows are. */
  note: string;
  /** The time of the data in words; null for a card without data. */
  asOf: string | null;
  rows: readonly CardRow[];
}

export interface CardRow {
  name: string;
  note: string;
  /** The figure with its sign and unit. */
  figure: string;
  sign: -1 | 0 | 1;
}

/** The size that social networks ask for. */
export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;
export const MOST_ROWS = 5;

const MARGIN = 72;
const RIGHT = CARD_WIDTH - MARGIN;
const BRAND: TextStyle = { size: 36, weight: 'bold', ink: 'ink' };
const TITLE: TextStyle = { size: 60, weight: 'bold', ink: 'ink' };
const QUIET: TextStyle = { size: 28, weight: 'regular', ink: 'quiet' };
const NAME: TextStyle = { size: 36, weight: 'bold', ink: 'ink' };
const FIRST_ROW_Y = 326;
const ROW_HEIGHT = 62;
const NOTE_X = 330;
const FIGURE_SPACE = 320;
const INK_OF_SIGN: Readonly<Record<CardRow['sign'], Ink>> = { '-1': 'neg', 0: 'ink', 1: 'pos' };

/** The picture that social networks and chats show for a link. */
export async function drawCard({ title, note, asOf, rows }: Card): Promise<Buffer> {
  const canvas = new Canvas(CARD_WIDTH, CARD_HEIGHT);
  canvas.disc(MARGIN + 9, 76, 9, 'ink');
  canvas.rectangle(MARGIN + 9, 74, 30, 4, 'ink');
  canvas.disc(MARGIN + 40, 76, 9, 'accent');
  canvas.text('Perpwire', MARGIN + 64, 88, BRAND);
  if (asOf !== null) canvas.textBefore(asOf, RIGHT, 88, QUIET);
  canvas.text(fitted(title, RIGHT - MARGIN, TITLE), MARGIN, 192, TITLE);
  canvas.text(fitted(note, RIGHT - MARGIN, QUIET), MARGIN, 246, QUIET);
  for (const [i, row] of rows.slice(0, MOST_ROWS).entries()) {
    const y = FIRST_ROW_Y + i * ROW_HEIGHT;
    canvas.rectangle(MARGIN, y - 44, RIGHT - MARGIN, 1, 'line');
    canvas.text(fitted(row.name, NOTE_X - MARGIN - 16, NAME), MARGIN, y, NAME);
    canvas.text(fitted(row.note, RIGHT - FIGURE_SPACE - NOTE_X, QUIET), NOTE_X, y, QUIET);
    canvas.textBefore(row.figure, RIGHT, y, { ...NAME, ink: INK_OF_SIGN[row.sign] });
  }
  return await canvas.png();
}

/** The text, shortened to the width. */
function fitted(text: string, width: number, style: TextStyle): string {
  if (textWidth(text, style) <= width) return text;
  const characters = [...text];
  while (characters.length > 0 && textWidth(`${characters.join('')}…`, style) > width) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}
