import { Agent, request } from 'undici';
import type { CalendarRow } from '../invariants/listings.ts';
import type { FundingRow } from '../invariants/rows.ts';
import type { RunningSeries } from '../invariants/tape.ts';

export interface Answer {
  status: number;
  text: string;
}

/** Real time after which a request counts as unanswered. */
const TIMEOUT_MS = 60_000;
const agent = new Agent({ bodyTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS });

export async function get(baseUrl: string, path: string, key: string): Promise<Answer> {
  const reply = await request(`${baseUrl}${path}`, { dispatcher: agent, headers: { 'x-api-key': key } });
  return { status: reply.statusCode, text: await reply.body.text() };
}

export interface List<Row> {
  rows: Row[];
  asOfMs: number;
}

function listOf<Row>(text: string): List<Row> {
  const body = JSON.parse(text) as { data: Row[]; meta: { as_of: string } };
  return { rows: body.data, asOfMs: Date.parse(body.meta.as_of) };
}

export const fundingOf = (text: string): List<FundingRow> => listOf(text);
export const calendarOf = (text: string): List<CalendarRow> => listOf(text);
export const asOfMsOf = (text: string): number => listOf(text).asOfMs;

/** The series of /funding/running. */
export function runningOf(text: string): RunningSeries[] {
  return (JSON.parse(text) as { data: { series: RunningSeries[] } }).data.series;
}
