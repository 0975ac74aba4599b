import { addIcons } from '../icons/ui-icons.ts';
import { escapeHtml, Html, html } from '../markup/html.ts';
import { preferencesText } from '../preferences/preferences.ts';
import { footer } from './footer.ts';
import type { Frame } from './frame.ts';
import { tabBar, topBar } from './top-bar.ts';

/** What stands before and after the content of a page. */
export interface AroundContent {
  before: Html;
  after: Html;
  icons: ReadonlySet<string>;
}

/** Stands for the address of the page or of its twin. No text of ours has it. */
const SLOT = '\u0000';
/** Readers who are signed in have frames of their own. */
const MOST_KEPT = 200;

interface KeptFrame {
  before: readonly string[];
  after: readonly string[];
  icons: ReadonlySet<string>;
}

const kept = new Map<string, KeptFrame>();

/** Top bar, footer and tab bar. They differ in few things from page to page, so all else is made once. */
export function aroundContent(path: string, frame: Frame, twin: string | null): AroundContent {
  // A page with a token is made for one reader.
  if (frame.csrf !== undefined) {
    const [before, after] = around(path, frame, twin);
    return { before, after, icons: iconsOf(before, after) };
  }
  const key = `${path} ${twin === null} ${preferencesText(frame.preferences)} ${frame.signedInAs ?? ''}`;
  let parts = kept.get(key);
  if (!parts) {
    parts = partsOf(path, { ...frame, address: SLOT }, twin === null ? null : SLOT);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(key, parts);
  }
  const address = escapeHtml(frame.address);
  const after = twin === null ? [address] : [escapeHtml(twin), address];
  return { before: filled(parts.before, [address]), after: filled(parts.after, after), icons: parts.icons };
}

function around(path: string, frame: Frame, twin: string | null): [before: Html, after: Html] {
  return [topBar(path, frame), html`${footer(twin, frame)}\n${tabBar(path)}`];
}

function partsOf(path: string, frame: Frame, twin: string | null): KeptFrame {
  const [before, after] = around(path, frame, twin);
  return {
    before: before.markup.split(SLOT),
    after: after.markup.split(SLOT),
    icons: iconsOf(before, after),
  };
}

function iconsOf(...parts: readonly Html[]): Set<string> {
  const icons = new Set<string>();
  for (const { markup } of parts) addIcons(markup, icons);
  return icons;
}

function filled(parts: readonly string[], texts: readonly string[]): Html {
  let markup = parts[0] ?? '';
  for (let i = 0; i < texts.length; i++) markup += `${texts[i]}${parts[i + 1] ?? ''}`;
  return new Html(markup);
}
