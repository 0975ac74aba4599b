import { escapeHtml, Html, html } from '../markup/html.ts';
import { preferencesText } from '../preferences/preferences.ts';
import { footer } from './footer.ts';
import type { Frame } from './frame.ts';
import { tabBar, topBar } from './top-bar.ts';

/** What stands before and after the content of a page. */
export interface AroundContent {
  before: Html;
  after: Html;
}

/** Stands for the address of the page or of its twin. No text of ours has it. */
const SLOT = '\u0000';
/** Readers who are signed in have frames of their own. */
const MOST_KEPT = 200;

interface KeptFrame {
  before: readonly string[];
  after: readonly string[];
}

const kept = new Map<string, KeptFrame>();

/** Top bar, footer and tab bar. They differ in few things from page to page, so all else is made once. */
export function aroundContent(path: string, frame: Frame, twin: string | null): AroundContent {
  // A page with a token is made for one reader.
  if (frame.csrf !== undefined)
    return { before: topBar(path, frame), after: html`${footer(twin, frame)}\n${tabBar(path)}` };
  const key = `${path} ${twin === null} ${preferencesText(frame.preferences)} ${frame.signedInAs ?? ''}`;
  let parts = kept.get(key);
  if (!parts) {
    parts = partsOf(path, { ...frame, address: SLOT }, twin === null ? null : SLOT);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(key, parts);
  }
  const address = escapeHtml(frame.address);
  const after = twin === null ? [address] : [escapeHtml(twin), address];
  return { before: filled(parts.before, [address]), after: filled(parts.after, after) };
}

function partsOf(path: string, frame: Frame, twin: string | null): KeptFrame {
  return {
    before: topBar(path, frame).markup.split(SLOT),
    after: html`${footer(twin, frame)}\n${tabBar(path)}`.markup.split(SLOT),
  };
}

function filled(parts: readonly string[], texts: readonly string[]): Html {
  let markup = parts[0] ?? '';
  for (let i = 0; i < texts.length; i++) markup += `${texts[i]}${parts[i + 1] ?? ''}`;
  return new Html(markup);
}
