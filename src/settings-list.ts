import {
  address,
  contact,
  databaseAddress,
  integer,
  lakeAddress,
  list,
  mailAddress,
  oneOf,
  onOff,
  planPrices,
  proxies,
  redisUrl,
  secretKeys,
  text,
  tierGrants,
} from './setting-values.ts';

export interface Setting<T> {
  /** The environment variable. The flag is the same name in lower case with dashes. */
  name: string;
  defaultText: string;
  help: string;
  parse: (text: string) => T;
}

function setting<T>(name: string, defaultText: string, help: string, parse: (text: string) => T): Setting<T> {
  return { name, defaultText, help, parse };
}

/** Every setting of the service. */
export const SETTINGS = {
  host: setting('HOST', '127.0.0.1', 'Address on which the API listens', text),
  port: setting('PORT', '8080', 'Port of the API; 0 chooses a free one', integer(0, 65_535)),
  adminHost: setting('ADMIN_HOST', '127.0.0.1', 'Address of /metrics, /healthz and /readyz', text),
  adminPort: setting(
    'ADMIN_PORT',
    '8081',
    'Port of /metrics, /healthz and /readyz; 0 chooses a free one',
    integer(0, 65_535),
  ),
  baseUrl: setting(
    'BASE_URL',
    '',
    'Public address for every link; by default http://HOST:PORT, with TLS https://HOST:PORT',
    address,
  ),
  tlsCert: setting('TLS_CERT', '', 'PEM file with the certificate chain, to serve HTTPS', text),
  tlsKey: setting(
    'TLS_KEY',
    '',
    'PEM file with the key of TLS_CERT; both files are reloaded when they change',
    text,
  ),
  dataDir: setting('DATA_DIR', 'data', 'Folder of the embedded database', text),
  databaseUrl: setting(
    'DATABASE_URL',
    '',
    'PostgreSQL to use instead of the embedded SQLite: postgres://user:password@host/name',
    databaseAddress,
  ),
  databaseReplicaUrl: setting(
    'DATABASE_REPLICA_URL',
    '',
    'Read replica of DATABASE_URL; history is read from it while it is available and up to date',
    databaseAddress,
  ),
  redisUrl: setting(
    'REDIS_URL',
    '',
    'Redis, to share rate limits between processes: redis://user:password@host:6379/0; a Redis Cluster: redis+cluster://host:6379,host:6379',
    redisUrl,
  ),
  role: setting(
    'ROLE',
    'all',
    'What this process does: all, collector (watches venues; of several one is active) or api (answers requests)',
    oneOf('all', 'collector', 'api'),
  ),
  leaseSeconds: setting(
    'LEASE_SECONDS',
    '9',
    'After so many seconds without a sign of life of the active collector, another one takes over',
    integer(1, 60),
  ),
  venues: setting('VENUES', '', 'Venues to watch, by folder name (binance,okx,...); all if empty', list),
  venuesUrl: setting(
    'VENUES_URL',
    '',
    'Address of a venue simulator to use instead of the real venues',
    address,
  ),
  snapshotSeconds: setting('SNAPSHOT_SECONDS', '10', 'Seconds between two snapshots', integer(1, 60)),
  spreadsSeconds: setting(
    'SPREADS_SECONDS',
    '5',
    'Seconds between two spread tables of /spreads',
    integer(1, 60),
  ),
  backtestDays: setting('BACKTEST_DAYS', '7', 'Scan window of the backtest in days', integer(1, 30)),
  auditWithhold: setting(
    'AUDIT_WITHHOLD',
    'off',
    'Rows left out while an audit alarm is on: off, rates (wrong rates, frozen rows), all (wrong prices and volumes too)',
    oneOf('off', 'rates', 'all'),
  ),
  restoreMaxAgeSeconds: setting(
    'RESTORE_MAX_AGE_SECONDS',
    '3600',
    'After a restart, the last snapshot is served if it is at most this old',
    integer(0, 86_400),
  ),
  historyDays: setting(
    'HISTORY_DAYS',
    '730',
    'How many days of settled prints are fetched',
    integer(1, 3650),
  ),
  depthDays: setting(
    'DEPTH_DAYS',
    '90',
    'How many days of the costs of orders against the books are stored (about 25 MB a day at 9,000 contracts)',
    integer(1, 3650),
  ),
  lakeUrl: setting(
    'LAKE_URL',
    '',
    'Folder (path or file URL) or bucket (s3://bucket/prefix) of the Parquet files of the lake; by default DATA_DIR/lake',
    lakeAddress,
  ),
  awsEndpointUrl: setting(
    'AWS_ENDPOINT_URL',
    '',
    'Server of the bucket of LAKE_URL, if it is not Amazon: https://s3.example.com',
    address,
  ),
  awsRegion: setting('AWS_REGION', '', 'Region of the bucket of LAKE_URL', text),
  awsAccessKeyId: setting('AWS_ACCESS_KEY_ID', '', 'Key for the bucket of LAKE_URL', text),
  awsSecretAccessKey: setting('AWS_SECRET_ACCESS_KEY', '', 'Secret of AWS_ACCESS_KEY_ID', text),
  awsSessionToken: setting('AWS_SESSION_TOKEN', '', 'Token of a key that expires', text),
  lakeNightly: setting(
    'LAKE_NIGHTLY',
    'false',
    'true builds the files of the lake for the day before, every night',
    onOff,
  ),
  tapeDays: setting(
    'TAPE_DAYS',
    '180',
    'How many days of running rates, premiums and open interest are stored (about 25 MB a day at 9,000 contracts)',
    integer(1, 3650),
  ),
  lakeKey: setting(
    'LAKE_KEY',
    '',
    'Key of another installation, with which perpwire lake pull reads its files',
    text,
  ),
  historyPaced: setting(
    'HISTORY_PACED',
    'true',
    'false fetches history from a simulator without rate limits; real venues are always called within their limits',
    onOff,
  ),
  shedLoad: setting(
    'SHED_LOAD',
    'true',
    'false never stops work or refuses requests because of overload',
    onOff,
  ),
  apiEnabled: setting('API_ENABLED', 'true', 'false answers every API request with 503 api-disabled', onOff),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    '',
    'Addresses or networks of proxies whose X-Forwarded-For is trusted (loopback,10.0.0.0/8)',
    proxies,
  ),
  allowedOrigins: setting(
    'ALLOWED_ORIGINS',
    '',
    'Origins of other web pages that may call /mcp, e.g. https://assistant.example',
    list,
  ),
  allowedHosts: setting(
    'ALLOWED_HOSTS',
    '',
    'Host names under which /mcp may be called, besides that of BASE_URL',
    list,
  ),
  smtpUrl: setting(
    'SMTP_URL',
    '',
    'Mail server: smtp://user:password@host:587; without one, mail is written to DATA_DIR/mail',
    mailAddress,
  ),
  signUp: setting('SIGN_UP', 'true', 'false closes the sign-up page; operators then create accounts', onOff),
  mailFrom: setting('MAIL_FROM', 'Perpwire <no-reply@localhost>', 'Sender address of mail', text),
  alertNetworks: setting(
    'ALERT_NETWORKS',
    '',
    'Networks that are not public to which webhooks may be sent, with http too (loopback,10.0.0.0/8)',
    proxies,
  ),
  telegramBotToken: setting(
    'TELEGRAM_BOT_TOKEN',
    '',
    'Token of the bot that sends alerts to Telegram, from @BotFather; without one, Telegram is not offered',
    text,
  ),
  telegramApiUrl: setting('TELEGRAM_API_URL', 'https://api.telegram.org', 'Address of the Bot API', address),
  hostTierPlans: setting(
    'HOST_TIER_PLANS',
    'top=developer',
    'Plans that are included in tiers of the host product, as tier=plan',
    tierGrants,
  ),
  planPrices: setting(
    'PLAN_PRICES',
    '',
    'Prices that /plans shows: developer=$29 a month;pro=$99 a month',
    planPrices,
  ),
  contact: setting('CONTACT', '', 'Where people ask for a plan: an e-mail address or a page', contact),
  secretKey: setting(
    'SECRET_KEY',
    '',
    'Key that encrypts stored secrets, at least 32 characters, the same for all processes; after a comma older keys that still decrypt',
    secretKeys,
  ),
  secretKeyFile: setting(
    'SECRET_KEY_FILE',
    '',
    'File with SECRET_KEY, one key per line; by default DATA_DIR/secret.key, which is created',
    text,
  ),
  securityLogDays: setting(
    'SECURITY_LOG_DAYS',
    '365',
    'Days after which entries of the security log are deleted',
    integer(1, 3650),
  ),
  freePagesPerMinute: setting(
    'FREE_PAGES_PER_MINUTE',
    '60',
    'Pages of data that a signed-in account reads free of charge in a minute; more count as requests of its plan',
    integer(0, 100_000),
  ),
  visitorWorkMs: setting(
    'VISITOR_WORK_MS',
    '250',
    'Milliseconds of computing a second for the visitors of one address without an account, 20 s of it at once; 0: no limit',
    integer(0, 1_000),
  ),
  visitorsWorkMs: setting(
    'VISITORS_WORK_MS',
    '400',
    'The same for all visitors together: requests beyond it wait, and are refused after 5 s; 0: no limit',
    integer(0, 1_000),
  ),
  accountWorkMs: setting(
    'ACCOUNT_WORK_MS',
    '500',
    'The same for each key, and for the pages and assistants of each account; 0: no limit',
    integer(0, 1_000),
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    'Lowest level that is logged',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
  ),
} satisfies Record<string, Setting<unknown>>;
