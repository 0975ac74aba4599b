import { domainToASCII } from 'node:url';
import { AccountsError } from '../accounts-error.ts';

const MAX_CHARACTERS = 254;
const MAX_LOCAL_CHARACTERS = 64;
/** The dot-atom of RFC 5322. Quoted local parts, comments, display names, groups and lists contain other characters. */
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * One spelling per address: in lower case, an international domain in its ASCII form. Refuses a text that is too long for an
 * address, so that nothing longer is counted, hashed or looked up; checks nothing else.
 */
export function normalEmail(email: string): string {
  const typed = email.trim();
  if (typed.length > MAX_CHARACTERS) throw tooLong();
  const lower = typed.toLowerCase();
  const at = lower.lastIndexOf('@');
  const domain = domainToASCII(lower.slice(at + 1));
  // domainToASCII decodes percent signs, which a mail address does not have.
  const normal =
    at < 0 || domain === '' || lower.includes('%', at) ? lower : `${lower.slice(0, at)}@${domain}`;
  if (normal.length > MAX_CHARACTERS) throw tooLong();
  return normal;
}

function tooLong(): AccountsError {
  return new AccountsError('invalid-email', `An e-mail address has at most ${MAX_CHARACTERS} characters`);
}

/** Returns the normalised address. Throws unless it is a single plain one. */
export function checkEmail(email: string): string {
  const normal = normalEmail(email);
  const [local = '', domain = '', ...more] = normal.split('@');
  const isPlain =
    more.length === 0 && local.length <= MAX_LOCAL_CHARACTERS && LOCAL.test(local) && DOMAIN.test(domain);
  if (!isPlain)
    throw new AccountsError(
      'invalid-email',
      `"${email.trim().toLowerCase().slice(0, 60)}" is not an e-mail address`,
    );
  return normal;
}
