import { fileURLToPath } from 'node:url';
import { isPlanName, type PlanName } from './accounts/plans.ts';
import { MIN_KEY_CHARACTERS } from './accounts/vault/secret-keys.ts';
import { parseNetworks } from './base/http/networks.ts';
import { REDIS_URL_FORMS, redisAddress } from './storage/redis/address.ts';

/** A setting whose value cannot be used. The message names the setting and what it takes. */
export class SettingError extends Error {}

export const text = (value: string) => value;
export const list = (value: string) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
export const onOff = (value: string) => {
  if (value !== 'true' && value !== 'false') throw new SettingError('takes true or false');
  return value === 'true';
};
export const integer = (min: number, max: number) => (value: string) => {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) throw new SettingError(`takes a whole number from ${min} to ${max}`);
  return number;
};
export const oneOf =
  <T extends string>(...choices: T[]) =>
  (value: string): T => {
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw new SettingError(`takes one of ${choices.join(', ')}`);
    return found;
  };
export const address = (value: string) => {
  if (value === '') return null;
  const url = URL.parse(value);
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new SettingError('takes an http or https address');
  // Normalized, because it is inserted into HTML, headers and JSON, where a raw quotation mark would end the value.
  return url.href.replace(/\/+$/, '');
};
export const mailAddress = (value: string) => {
  if (value === '') return null;
  if (!/^smtps?:\/\//.test(value))
    throw new SettingError('takes an address that starts with smtp:// or smtps://');
  return value;
};
export const databaseAddress = (value: string) => {
  if (value === '') return null;
  if (!/^postgres(ql)?:\/\//.test(value))
    throw new SettingError('takes an address that starts with postgres://');
  return value;
};
/** Null: the default folder. */
export const lakeAddress = (value: string): string | null => {
  if (value === '') return null;
  if (value.startsWith('file:')) {
    const url = URL.parse(value);
    if (url?.host !== '') throw new SettingError('takes a file URL such as file:///srv/lake');
    return fileURLToPath(url);
  }
  if (value.startsWith('s3:')) {
    const bucket = value.replace(/\/+$/, '');
    if (!/^s3:\/\/[a-z0-9][a-z0-9.-]+[a-z0-9](\/(?!\.\.?(\/|$))[\w.-]+)*$/.test(bucket))
      throw new SettingError('takes a bucket with a prefix of plain characters, such as s3://bucket/prefix');
    return bucket;
  }
  if (/^[a-z][a-z0-9+.-]+:/i.test(value))
    throw new SettingError('takes a folder or a file URL, or a bucket such as s3://bucket/prefix');
  return value;
};
export const redisUrl = (value: string): string | null => {
  if (value === '') return null;
  if (/^rediss?:\/\/.*,rediss?:\/\//.test(value))
    throw new SettingError(
      'names several servers; for more than one use a Redis Cluster: redis+cluster://host:6379,host:6379',
    );
  try {
    redisAddress(value);
  } catch {
    throw new SettingError(`takes an address like ${REDIS_URL_FORMS}`);
  }
  return value;
};
export const secretKeys = (value: string) => {
  const keys = list(value);
  if (keys.some(({ length }) => length < MIN_KEY_CHARACTERS))
    throw new SettingError(`takes keys of at least ${MIN_KEY_CHARACTERS} characters (openssl rand -hex 32)`);
  return keys;
};
export const tierGrants = (value: string): ReadonlyMap<string, PlanName> =>
  new Map(
    list(value).map((pair) => {
      const [tier = '', plan = ''] = pair.split('=');
      if (tier === '' || !isPlanName(plan))
        throw new SettingError('takes tier=plan pairs, e.g. top=developer');
      return [tier, plan];
    }),
  );

/** Prices of plans in the operator's words; a semicolon separates them, because a price can have a comma. */
export const planPrices = (value: string): ReadonlyMap<PlanName, string> =>
  new Map(
    value
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair !== '')
      .map((pair) => {
        const [plan = '', ...price] = pair.split('=');
        const words = price.join('=').trim();
        if (!isPlanName(plan.trim()) || words === '')
          throw new SettingError('takes plan=price pairs, e.g. developer=$29 a month;pro=$99 a month');
        return [plan.trim() as PlanName, words];
      }),
  );

/** An e-mail address or an address of a page; null for none. */
export const contact = (value: string): string | null => {
  if (value === '') return null;
  if (/^https?:\/\/[^\s]+$/.test(value) && URL.canParse(value)) return value;
  if (/^[^\s@:/]+@[^\s@:/]+$/.test(value)) return `mailto:${value}`;
  throw new SettingError('takes an e-mail address or an address that begins with https://');
};

export const proxies = (value: string) => {
  const entries = list(value);
  try {
    parseNetworks(entries);
  } catch (error) {
    const wrong = error instanceof Error ? error.message : '';
    throw new SettingError(`takes addresses, networks (10.0.0.0/8), loopback or uniquelocal; ${wrong}`);
  }
  return entries;
};
