/** The words that classify notices. All patterns match plain text and ignore case. */

export const PERPETUAL =
  /perpetual|\bperps?\b|[A-Z0-9]PERP\b|\b(?:USDS|USDT|USDC|U|COIN)-M\b|\bU?(?:USD[STC]?|COIN)[- ]margined\b|-SWAP\b|\bswap contracts?\b|\bfutures\b|\bderivatives\b|\b\d{1,3}x leverage\b/i;
export const DATED =
  /quarterly|\bdelivery\b|\bdated\b|\bexpir(?:y|ies|ing|ation)\b|[A-Z](?:USDT?|USDC)?[-_]\d{1,2}[A-Z]{3}\d{2}\b|\d{6}\b(?=.*(?:futures|contract))/i;
export const SPOT =
  /\bspot\b|\bmargin (?:trading|pairs?|assets?|borrow)|\bisolated margin\b|\bcross margin\b|\bearn\b|\bconvert\b|\bsavings\b|\bstaking\b|\bloans?\b|\blaunch(?:pool|pad)\b|\bleveraged tokens?\b|\boptions?\b|\bcopy trad|\btrading bots?\b|\bgrid\b|\bpre-?sale\b|\botc\b|\bp2p\b/i;

export const DELIST =
  /\bdelist|\bremov(?:e|es|ed|al|ing)\b|\bceas(?:e|es|ing)\b|\bdiscontinu|\bterminat|\boffline\b|\bsunset|\bwind(?:ing)? down\b|\bretir(?:e|es|ing)\b|\btake(?:n)? down\b|\boff-?board/i;
export const LIST =
  /\b(?:re)?list(?:s|ed|ing|ings)?\b|\blaunch(?:es|ed|ing)?\b|\bintroduc|\badd(?:s|ed|ing)?\b|\b(?:go|goes|going|is|are|now) live\b|\bnow (?:available|trading|open)\b|\bopen(?:s|ing)? (?:for )?trading\b|\bstart(?:s|ing)? trading\b|\bdebut|\broll(?:s|ing)? out\b|\b(?:will|to) be available\b|\bonboard|\bnew (?:perpetual|futures|contract|market)/i;
export const CANCEL =
  /\bcancel|\bcall(?:s|ed|ing)? off\b|\bwill (?:not|no longer) (?:be )?(?:delist|list|launch|remov)|\bwithdraw(?:s|n|ing|al)? (?:of )?(?:the |its )?(?:delist|list|launch|decision)|\bdelisting (?:is |was |has been )?(?:withdrawn|revoked)|\brevok|\brescind|\bnot to (?:delist|list)\b/i;
export const POSTPONE =
  /\bpostpon|\bdelay(?:s|ed|ing)?\b|\breschedul|\bdefer|\bpush(?:es|ed)? back\b|\bbring(?:s|ing)? forward\b|\b(?:new|updated|revised|adjust\w*|chang\w*|extend\w*|amend\w*)\b[^.;]{0,40}\b(?:time|date|schedule)\b|\b(?:time|date|schedule)\b[^.;]{0,30}\b(?:adjust|chang|updat|revis|extend|amend)\w*/i;
export const RENAME =
  /\brenam|\brebrand|\bticker (?:change|swap|update)|\bsymbol (?:change|update|swap)|\bredenominat|\b(?:token|contract) swap\b|\b(?:contract )?migrat|\bchang\w* (?:its|the) (?:name|ticker|symbol)|\bname change/i;
export const OPEN_ENDED =
  /until further notice|to be (?:announced|determined|confirmed)|\bTB[ACD]\b|a later (?:date|time)|(?:new|exact) (?:date|time)s? will be|separate(?:ly)? announce/i;

export const HAPPENED =
  /\b(?:now|is|are) live\b|\bnow (?:available|trading|open|listed|delisted)\b|\bha(?:s|ve) (?:been )?(?:launched|listed|added|opened|delisted|removed)\b|\bcompletion of\b/i;

/** Promotions: they name contracts but announce no listing. */
export const CAMPAIGN =
  /^(?:\W*\w+\W+)?(?:trade|join|win|earn|share|grab|deposit|predict|vote|claim|celebrate|enjoy|invite|unlock|participate)\b|\b(?:competition|contest|tournament|airdrop|giveaway|lucky draw|carnival|prize pool event|trading challenge|winners?|eligible users)\b/i;

const CHANGED = String.raw`(?:adjust|updat|chang|modif|revis|optimi|increas|decreas|reduc|lower|rais|upgrad)\w*`;
const RULE = `(?:funding|leverage|margin tiers?|maintenance margin|tick|precision|risk limits?|position limits?|price limits?|index|fees?|minimum|collateral|order size|lot size|multiplier|contract size|mark price|tiers?)`;
/** Changes of contract rules, and system maintenance. */
export const RULES = new RegExp(
  String.raw`\b${CHANGED}\b[^.;]{0,60}\b${RULE}\b|\b${RULE}\b[^.;]{0,30}\b${CHANGED}\b|\bsystem (?:maintenance|upgrade)\b|\bmaintenance (?:notice|of)\b|\bfunding (?:rate|interval|fee)s?\b|\bpre-?market\b[^.;]{0,60}\b(?:convert|conversion|transition)|\b(?:convert|conversion|transition)\w*\b[^.;]{0,60}\bpre-?market\b|\bmonitoring (?:tag|zone)|\breview\b`,
  'i',
);

/** The title mentions contracts that it does not name. */
export const AND_OTHERS = /\band (?:more|others?\b|\d+ (?:more|others?))\b|\betc\b|\bamong others\b/i;

/** As above, or with a count: the body may name further contracts. */
export const AND_MORE =
  /\band (?:more|others?|\d+ (?:more|others?))\b|\betc\b|\bamong others\b|\b(?:multiple|several|various|some|the following|\d+|two|three|four|five|six|seven|eight|nine|ten)\b[^.;]{0,40}\b(?:contracts?|perpetuals?|futures|pairs|markets)\b/i;

/** The step of a listing or delisting that a time belongs to, by the words around it. */
export type TimeRole = 'start' | 'end' | 'settle' | 'restrict' | 'aside' | 'plain';

const ROLES: readonly (readonly [TimeRole, RegExp])[] = [
  [
    'restrict',
    /new positions?|\bopening (?:of )?(?:any |additional )?positions?|\b(?:not|no longer|cannot|can't|unable to) (?:be able to )?open|reduce[- ]only|close[- ]only|new orders?|increase (?:their )?positions?|place (?:new )?orders?/i,
  ],
  [
    'aside',
    /\bdeposits?\b|\bwithdraw|\btransfer|\bcall auction|\bauction|\bannounce(?:d|ment)|\bpublished|\bpromotion|\bcampaign|\bsnapshot|\bfunding|\bmaintenance|\bbots?\b|\bcopy trad|\bgrid\b|\bearn\b/i,
  ],
  [
    'end',
    /\bdelist|\bremov|\bceas|\bdiscontinu|\bterminat|\boffline|\b(?:stop|halt|suspend|end|close)\w* (?:of )?(?:all )?trading|\btrading (?:will |is |shall )?(?:be )?(?:stop|halt|suspend|end|ceas|clos)|\blast trading|\btaken down|\bsunset|\bretir/i,
  ],
  ['settle', /\bsettle|\bclos(?:e|ed|ing|ure)\b|\bdeliver|\bliquidat|\bautomatic settlement|\bforced?\b/i],
  [
    'start',
    /\blist(?:s|ed|ing)?\b|\brelist|\blaunch|\bopen(?:s|ing|ed)?\b|\bstart|\bbegin|\blive\b|\bavailable\b|\btrad(?:e|ing)\b|\badd(?:s|ed)?\b|\bintroduc|\bonboard|\bgo(?:es)? live/i,
  ],
];

/** All roles that the words of a clause give its time; `plain` if none. */
export function rolesOf(clause: string): TimeRole[] {
  const roles = ROLES.filter(([, words]) => words.test(clause)).map(([role]) => role);
  return roles.length === 0 ? ['plain'] : roles;
}
