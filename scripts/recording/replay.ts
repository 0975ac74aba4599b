import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { SendRequest } from '../../src/venues/venue.ts';
import type { RecordedCall } from './recording.ts';
import { trimmed } from './trim.ts';

/** Answers a venue's requests from a recording, as a later test of the venue would. */
export function replaySender(folder: string, calls: readonly RecordedCall[]): SendRequest {
  return async (request) => {
    const requested = JSON.parse(JSON.stringify(request));
    const exact = calls.find((call) => isDeepStrictEqual(call.request, requested));
    // A list that was cut seems to continue; its next page, which was not recorded, is empty.
    const page = calls.find((call) => 'path' in call.request && call.request.path === requested.path);
    const found = exact ?? page;
    if (!found) throw new Error(`not recorded: ${JSON.stringify(requested)}`);
    const payload = recordedPayload(folder, found);
    return { payload: exact ? payload : trimmed(payload, 0), receivedAtMs: Date.parse(found.receivedAt) };
  };
}

export function recordedPayload(folder: string, { file }: RecordedCall): unknown {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}
