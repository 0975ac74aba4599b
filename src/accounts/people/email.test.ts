import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { AccountsError } from '../accounts-error.ts';
import { checkEmail } from './email.ts';

suite('e-mail addresses', () => {
  for (const [typed, stored] of [
    [' Ada@Example.COM ', 'ada@example.com'],
    ['ada+perp.wire@mail.example.com', 'ada+perp.wire@mail.example.com'],
    ["o'neill_1@example.com", "o'neill_1@example.com"],
    ['ada@Bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@xn--BCHER-kva.example', 'ada@xn--bcher-kva.example'],
    ['ada@ｅｘａｍｐｌｅ.com', 'ada@example.com'],
    ['ops@localhost', 'ops@localhost'],
  ] as const) {
    test(`${typed} is ${stored}`, () => {
      assert.equal(checkEmail(typed), stored);
    });
  }

  for (const [attack, typed] of [
    ['a display name', 'Ada <ada@example.com>'],
    ['a display name without a space', 'ada<ada@example.com>'],
    ['angle brackets', '<ada@example.com>'],
    ['a list', 'ada@example.com,eve@evil.example'],
    ['a list with semicolons', 'ada@example.com;eve@evil.example'],
    ['a group', 'friends:ada@example.com;'],
    ['a comment', 'ada(comment)@example.com'],
    ['a comment in the domain', 'ada@(comment)example.com'],
    ['a quoted local part', '"ada"@example.com'],
    ['a quoted local part with another address', '"eve@evil.example,"@example.com'],
    ['two at signs', 'ada@evil.example@example.com'],
    ['a line break', 'ada@example.com\r\nBcc: eve@evil.example'],
    ['a line break in the local part', 'a\nda@example.com'],
    ['a null byte', 'ada\u0000@example.com'],
    ['an invisible character', 'ad\u200ba@example.com'],
    ['a full-width at sign', 'ada＠example.com'],
    ['an address literal', 'ada@[127.0.0.1]'],
    ['a port', 'ada@example.com:25'],
    ['a percent sign in the domain', 'ada@example%2ecom'],
    ['a dot at the start', '.ada@example.com'],
    ['two dots', 'a..da@example.com'],
    ['a dot at the end of the domain', 'ada@example.com.'],
    ['an empty label', 'ada@example..com'],
    ['an empty local part', '@example.com'],
    ['no domain', 'ada@'],
    ['no at sign', 'ada'],
    ['a local part of 65 characters', `${'a'.repeat(65)}@example.com`],
    ['255 characters', `ada@${'a.'.repeat(125)}b`],
  ] as const) {
    test(`${attack} is refused`, () => {
      assert.throws(
        () => checkEmail(typed),
        (error) => error instanceof AccountsError && error.fault === 'invalid-email',
      );
    });
  }
});
