import { domainToASCII } from 'node:url';
import { AccountsError } from '../accounts-error.ts';

const MAX_CHARACTERS = 254;
const MAX_LOCAL_CHARACTERS = 64;
/** The dot-atom of RFC 5322. Quoted local parts, comments, display names, groups and lists contain other characters. */
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** One spelling per address: in lower case, an international domain in its ASCII form. Does not check the address. */
export function normalEmail(email: string): string {
  const lower = email.trim().toLowerCase();
  const at = lower.lastIndexOf('@');
  const domain = domainToASCII(lower.slice(at + 1));
  // domainToASCII decodes percent signs, which a mail address does not have.
  return at < 0 || domain === '' || lower.includes('%', at) ? lower : `${lower.slice(0, at)}@${domain}`;
}

/** Returns the normalised address. Throws unless it is a single plain one. */
export function checkEmail(email: string): string {
  const normal = normalEmail(email);
  const [local = '', domain = '', ...more] = normal.split('@');
  const isPlain =
    more.length === 0 &&
    normal.length <= MAX_CHARACTERS &&
    local.length <= MAX_LOCAL_CHARACTERS &&
    LOCAL.test(local) &&
    DOMAIN.test(domain);
  if (!isPlain)
    throw new AccountsError(
      'invalid-email',
      `"${email.trim().toLowerCase().slice(0, 60)}" is not an e-mail address`,
    );
  return normal;
}
