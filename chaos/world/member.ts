import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOptions } from '../../scripts/start-options.ts';
import { onPath } from '../../test/support/servers.ts';
import type { MemberSpec } from './deployment.ts';
import type { CreatedKey, Message, Order } from './messages.ts';

const CHILD = join(import.meta.dirname, '../child.ts');
/** Every process of a run reads its compiled code from here. */
export const COMPILED = process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'perpwire-chaos-compiled');
/** Real time after which an order counts as lost: longer than any wait of the service, and than the first tick of a soak. */
const GIVE_UP_MS = 600_000;
const MAX_LINES = 30;

/** A line of log that reports an outage. */
const OUTAGE = /(Redis at [^"]*|PostgreSQL) is unavailable/;

export class StartFailure extends Error {}

interface Pending {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** One process of the service. */
export class Member {
  readonly name: string;
  baseUrl = '';
  adminUrl = '';
  /** CPU time of the process up to its last answer. */
  cpuMs = 0;
  /** Its newest lines of log. */
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  #isExpectedToEnd = false;
  #lastId = 0;
  #outages = 0;
  readonly ended: Promise<void>;

  private constructor(name: string, child: ChildProcess, onDeath: (why: string) => void) {
    this.name = name;
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        const lines = text.trimEnd().split('\n');
        this.#outages += lines.filter((line) => OUTAGE.test(line)).length;
        this.lines.push(...lines);
        this.lines.splice(0, this.lines.length - MAX_LINES);
      });
    this.ended = new Promise((resolve) =>
      child.on('exit', (code, signal) => {
        for (const { reject } of this.#pending.values()) reject(new Error(`${name} has ended`));
        this.#pending.clear();
        if (!this.#isExpectedToEnd) onDeath(`${name} ended by itself (${signal ?? code})`);
        resolve();
      }),
    );
  }

  /** Starts a process with these settings, whose clock shows the given time. */
  static async start(
    { name, settings, address }: MemberSpec,
    nowMs: number,
    onDeath: (why: string) => void,
  ): Promise<Member> {
    // The flags of `npm start`, and none of a test runner that started the run.
    const { flags, variables } = startOptions();
    // A run that is killed takes its processes with it, also suspended ones, which do not see that it has ended.
    const tied = onPath('setpriv');
    const child = fork(CHILD, [], {
      ...(tied === null
        ? { execArgv: flags }
        : { execPath: tied, execArgv: ['--pdeathsig', 'KILL', process.execPath, ...flags] }),
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: COMPILED,
        CHAOS_NOW_MS: String(nowMs),
        ...variables,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const endChild = () => child.kill('SIGKILL');
    process.once('exit', endChild);
    child.once('exit', () => process.off('exit', endChild));
    const member = new Member(name, child, onDeath);
    await member.#ready();
    if (address !== undefined) member.baseUrl = address;
    return member;
  }

  #ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#isExpectedToEnd = true;
      void this.ended.then(() => reject(new StartFailure(`${this.name} ended while it started`)));
      this.#child.on('message', (message: Message) => {
        if (message.kind === 'ready') {
          this.#isExpectedToEnd = false;
          this.baseUrl = message.baseUrl;
          this.adminUrl = message.adminUrl;
          resolve();
        } else if (message.kind === 'failed to start') reject(new StartFailure(message.reason));
        else this.#settle(message);
      });
    });
  }

  #settle(message: Extract<Message, { id: number }>): void {
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.kind === 'refused') {
      pending?.reject(new Error(message.reason));
      return;
    }
    this.cpuMs = message.cpuMs;
    pending?.resolve(message.result);
  }

  order(order: Order): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#pending.delete(id);
        reject(new Error(`${this.name} did not carry out "${order.order}" within ${GIVE_UP_MS / 1000} s`));
      }, GIVE_UP_MS);
      const settle =
        <T>(then: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          then(value);
        };
      this.#pending.set(id, { resolve: settle(resolve), reject: settle(reject) });
      this.#child.send({ id, order }, (error) => error && this.#pending.get(id)?.reject(error));
    });
  }

  async createKey(accountId: string): Promise<CreatedKey> {
    return (await this.order({ order: 'create key', accountId })) as CreatedKey;
  }

  async kill(): Promise<void> {
    this.#isExpectedToEnd = true;
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  takeOutages(): number {
    const count = this.#outages;
    this.#outages = 0;
    return count;
  }

  suspend(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }
}
