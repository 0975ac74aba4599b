import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { AttemptLimit } from '../attempts/memory.ts';
import type { MailMessage } from './mail.ts';
import { openMailedLinks } from './mailed-links.ts';

function opened() {
  const clock = new ManualClock(1_800_000_000_000);
  const work: string[] = [];
  const sent: MailMessage[] = [];
  const links = openMailedLinks({
    baseUrl: 'https://perpwire.example',
    mailer: {
      messages: null,
      send: (message) => sent.push(message),
      deliver: async (message) => void sent.push(message),
      close: async () => undefined,
    },
    limitAttempts: (name, rules) => {
      const limit = new AttemptLimit(rules, clock);
      const take = limit.take.bind(limit);
      limit.take = (key) => {
        work.push(`limit ${name}`);
        return take(key);
      };
      return limit;
    },
    tokens: {
      issue: async ({ purpose }) => {
        work.push(`issue ${purpose}`);
        return 'token';
      },
      peek: async () => null,
      take: async () => null,
      endAll: async () => undefined,
      sweep: async () => undefined,
    },
  });
  return { links, work, sent };
}

suite('mailed links', () => {
  test('a reset for an unknown address does the work of a known one, so that timing tells nothing', async () => {
    const [known, unknown] = [opened(), opened()];
    for (let i = 0; i < 7; i++) {
      await known.links.sendReset('ada@example.com', true, 'Subject', 'Reason');
      await unknown.links.sendReset('ada@example.com', false, 'Subject', 'Reason');
    }
    assert.deepEqual(unknown.work, known.work);
    assert.equal(known.work.filter((step) => step === 'issue reset').length, 5, 'mails per hour');
    assert.equal(known.sent.length, 5);
    assert.deepEqual(unknown.sent, []);
  });
});
