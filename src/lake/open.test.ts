import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { temporaryFolder } from '../../test/storage/sqlite.ts';
import { readSettings } from '../settings.ts';
import { refusalText } from './bucket/faults.ts';
import { LakeError } from './files/manifest.ts';
import { openLake } from './open.ts';

const KEY = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
const whereOf = (environment: Record<string, string>) => openLake(readSettings([], environment)).where;

suite('where a lake is', () => {
  test('in a folder of the data by default, in another one, or in a bucket', (t) => {
    const folder = temporaryFolder(t);
    assert.equal(whereOf({ DATA_DIR: folder }), `${folder}/lake`);
    assert.equal(whereOf({ LAKE_URL: `file://${folder}/x` }), `${folder}/x`);
    const amazon = { ...KEY, AWS_REGION: 'eu-central-1' };
    assert.equal(whereOf({ ...amazon, LAKE_URL: 's3://bucket' }), 's3://bucket');
    assert.equal(whereOf({ ...amazon, LAKE_URL: 's3://bucket/a/b/' }), 's3://bucket/a/b');
    const other = { ...KEY, AWS_ENDPOINT_URL: 'https://s3.example.com' };
    assert.equal(whereOf({ ...other, LAKE_URL: 's3://bucket/a' }), 's3://bucket/a');
  });

  for (const [what, environment, message] of [
    ['no key', { AWS_REGION: 'eu-1' }, /needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/],
    ['neither region nor server', KEY, /set AWS_REGION to its region, or AWS_ENDPOINT_URL to its server/],
  ] as const)
    test(`a bucket with ${what} is refused`, () => {
      assert.throws(
        () => whereOf({ ...environment, LAKE_URL: 's3://bucket' }),
        (error) => error instanceof LakeError && message.test(error.message),
      );
    });
});

suite('what a refusal of S3 means', () => {
  const answer = (code: string, more = '') =>
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>Because.</Message>${more}</Error>`;

  for (const [status, xml, text] of [
    [403, answer('ExpiredToken'), /set a new AWS_SESSION_TOKEN/],
    [403, answer('AccessDenied'), /list, read, write and delete/],
    [400, answer('AuthorizationHeaderMalformed', '<Region>eu-1</Region>'), /set AWS_REGION to eu-1$/],
    [301, '', /set AWS_REGION$/],
    [409, answer('OperationAborted'), /^the server answered 409: OperationAborted, Because\.$/],
    [502, '<html>', /^the server answered 502$/],
  ] as const)
    test(`${status} ${/<Code>(\w+)/.exec(xml)?.[1] ?? ''}`, () =>
      assert.match(refusalText(status, xml), text));
});
