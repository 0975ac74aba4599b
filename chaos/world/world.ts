import { unit } from '../../sim/noise.ts';
import { type SimServer, startSimServer } from '../../sim/server.ts';
import { ManualClock, systemClock } from '../../src/base/clock.ts';
import { SECOND_MS } from '../../src/base/times.ts';
import { type Fault, faultName, type Plan, type PlannedStep } from '../plan.ts';
import { Checks, RATE_RULE } from './checks.ts';
import { type Deployment, singleProcess } from './deployment.ts';
import type { CreatedKey, Measured } from './messages.ts';
import { Processes } from './processes.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { Truth } from './truth.ts';

/** Sockets push when the clock moves; a timer only keeps them from being silent in real time. */
const PUSH_EVERY_MS = 2000;
const KEYS_AT_ONCE = 12;
/** An outage that a process has reported, though the plan has none. */
const UNPLANNED = 'unplanned outage';
/** Shorter than the window of a minute. */
const BURST_GAP_MS = 35 * SECOND_MS;
/** The last part of each tick, in which calls that wait for the budget of their venue are made. */
const WALK_MS = 2 * SECOND_MS;

interface Lasting {
  endsAtSlot: number;
  /** Whether it disturbs the service itself, and not one venue. */
  isOfService: boolean;
  end: () => Promise<void> | void;
}

/** A run: the simulator, the processes and the faults of the plan. */
export class World {
  readonly plan: Plan;
  /** The faults that took effect, by name. */
  readonly met = new Map<string, number>();
  readonly #sim: SimServer;
  readonly #simClock: ManualClock;
  readonly #deployment: Deployment;
  readonly #processes: Processes;
  readonly #truth: Truth;
  readonly #violations: string[] = [];
  #checks: Checks | null = null;
  #receiver: Receiver | null = null;
  #accountId = '';
  #lasting: Lasting[] = [];
  #slot = 0;

  private constructor(plan: Plan, sim: SimServer, simClock: ManualClock, deployment: Deployment) {
    this.plan = plan;
    this.#sim = sim;
    this.#simClock = simClock;
    this.#deployment = deployment;
    this.#truth = new Truth(sim, plan.venues, plan.startMs);
    this.#processes = new Processes(deployment, (violation) => this.#violations.push(violation));
  }

  static async start(
    plan: Plan,
    deploy: (plan: Plan, simUrl: string) => Promise<Deployment> | Deployment = singleProcess,
  ): Promise<World> {
    const clock = new ManualClock(plan.startMs);
    const { seed, coins, venues } = plan;
    const sim = await startSimServer({ seed, coins, venues, port: 0, clock, pushEveryMs: PUSH_EVERY_MS });
    const world = new World(plan, sim, clock, await deploy(plan, sim.url));
    try {
      await world.#open();
    } catch (error) {
      await world.stop();
      throw error;
    }
    return world;
  }

  async #open(): Promise<void> {
    await this.#processes.tick(this.#truth.nowMs, 0);
    const [first] = this.#processes.serving();
    if (!first) throw new Error(`no process started: ${this.#violations.join('; ')}`);
    const { member } = first;
    const account = async (plan: string) => String(await member.order({ order: 'create account', plan }));
    this.#accountId = await account('business');
    const reader = await member.createKey(this.#accountId);
    const burster = await member.createKey(await account('demo'));
    const checks = new Checks(
      this.#truth,
      this.#processes,
      { reader, burster },
      this.plan.seed,
      async (realMs) => {
        await systemClock.sleep(realMs);
        await this.#walk();
      },
    );
    this.#checks = checks;
    checks.keys.created(reader);
    this.#receiver = await startReceiver((alert) => checks.alerts.receive(alert));
    const { url } = this.#receiver;
    await member.order({ order: 'create alert', accountId: this.#accountId, url, rule: RATE_RULE });
  }

  get nowMs(): number {
    return this.#truth.nowMs;
  }

  get cpuMs(): number {
    return this.#processes.cpuMs;
  }

  get log(): string[] {
    return this.#processes.log;
  }

  get counts(): Readonly<Record<string, number>> {
    return this.#opened.counts;
  }

  get #opened(): Checks {
    if (!this.#checks) throw new Error('the world is not open');
    return this.#checks;
  }

  /** Carries out a step of the plan and returns the violated invariants. */
  async step(step: PlannedStep): Promise<string[]> {
    this.#slot = step.slot;
    for (const ended of this.#lasting.filter(({ endsAtSlot }) => endsAtSlot <= step.slot)) await ended.end();
    this.#lasting = this.#lasting.filter(({ endsAtSlot }) => endsAtSlot > step.slot);
    if (step.keyChange) await this.#changeKeys(step);
    for (const [tick, tickMs] of step.ticksMs.entries()) {
      for (const { fault } of step.faults.filter((planned) => planned.tick === tick))
        await this.#begin(fault);
      if (step.burstTick !== tick) await this.#tick(tickMs);
      else {
        this.#violations.push(...(await this.#opened.burst()));
        await this.#tick(BURST_GAP_MS);
        this.#violations.push(...(await this.#opened.burst()));
        await this.#tick(tickMs - BURST_GAP_MS);
      }
    }
    this.#violations.push(...(await this.#opened.everything(await this.#deployment.storedPrints())));
    // A full disk takes neither the tape nor the frames from which it is completed.
    if (this.#deployment.disk?.isFull) this.#opened.tape.forget();
    return this.#violations.splice(0);
  }

  /** Lets time pass without faults and checks. Throws if a process died or did not follow. */
  async pass(ticksMs: readonly number[]): Promise<void> {
    for (const tickMs of ticksMs) await this.#tick(tickMs);
    if (this.#violations.length > 0) throw new Error(this.#violations.splice(0).join('; '));
  }

  /** Contracts that the venues list now. */
  get contracts(): number {
    return this.#truth.listed().length;
  }

  measure(): Promise<Measured[]> {
    return this.#processes.measure();
  }

  get #isDisturbed(): boolean {
    return this.#processes.isDisturbed || this.#lasting.some(({ isOfService }) => isOfService);
  }

  async #tick(byMs: number): Promise<void> {
    await this.#move(byMs - WALK_MS);
    this.#sim.push();
    this.#deployment.onTick();
    await this.#processes.tick(this.#truth.nowMs, byMs - WALK_MS);
    await this.#walk();
    this.#opened.passed.stored();
    this.#noteOutages();
    if (this.#isDisturbed) this.#opened.disturbedUntilMs = this.#truth.nowMs;
  }

  async #walk(): Promise<void> {
    await this.#move(WALK_MS);
    await this.#processes.walk(WALK_MS);
    await systemClock.sleep(this.#deployment.realMsPerTick);
  }

  /** A machine that gives Redis or PostgreSQL no time causes an outage which is not in the plan. */
  #noteOutages(): void {
    const count = this.#processes.takeOutages();
    if (count === 0) return;
    this.met.set(UNPLANNED, (this.met.get(UNPLANNED) ?? 0) + count);
    this.#opened.disturbedUntilMs = this.#truth.nowMs;
    this.#opened.passed.redisLost(this.#truth.nowMs);
  }

  /** A message that is read after the clock has moved would count as sent then. A suspended process reads nothing. */
  async #move(byMs: number): Promise<void> {
    if (!this.#processes.isAnySuspended) await this.#sim.delivered();
    this.#simClock.advanceMs(byMs);
    this.#truth.moveTo(this.#simClock.nowMs());
    this.#checks?.tape.moved(this.#truth.nowMs);
  }

  async #begin(fault: Fault): Promise<void> {
    if (await this.#takesEffect(fault)) {
      const name = faultName(fault);
      this.met.set(name, (this.met.get(name) ?? 0) + 1);
    }
  }

  async #takesEffect(fault: Fault): Promise<boolean> {
    const until = (slots: number, end: Lasting['end']) =>
      this.#lasting.push({ endsAtSlot: this.#slot + slots, isOfService: fault.kind !== 'venue', end });
    const { disk } = this.#deployment;
    if (fault.kind === 'venue') {
      this.#truth.setFaults(fault.slug, fault.faults);
      until(fault.slots, () => this.#truth.setFaults(fault.slug, {}));
      return true;
    }
    if (fault.kind === 'kill') return await this.#kill(fault);
    if (fault.kind === 'kill thread') return await this.#killThread(fault);
    if (fault.kind === 'pause') return this.#processes.pause(fault.member, fault.ticks);
    if (fault.kind === 'clock') {
      await this.#stepClock(fault.byMs);
      until(fault.slots, () => this.#stepClock(-fault.byMs));
      return true;
    }
    if (fault.kind === 'full disk') {
      if (!disk || disk.cannotFill !== null) return false;
      disk.fill();
      this.#opened.tape.forget();
      until(fault.slots, () => disk.free());
      return true;
    }
    if (fault.kind === 'slow database') {
      this.#deployment.slowDatabase(fault.delayMs);
      until(fault.slots, () => this.#deployment.slowDatabase(0));
      return true;
    }
    await this.#deployment.emptyRedis();
    this.#opened.passed.redisLost(this.#truth.nowMs);
    return true;
  }

  async #kill({ member, delayMs, downTicks }: Extract<Fault, { kind: 'kill' }>): Promise<boolean> {
    if (!(await this.#processes.kill(member, delayMs, downTicks))) return false;
    this.#opened.disturbedUntilMs = this.#truth.nowMs;
    this.#opened.passed.killed({ losesMinute: !this.plan.hasRoles });
    // Snapshots that a full disk refused died with the process.
    if (this.#deployment.disk?.isFull) this.#opened.forgetAsOf();
    return true;
  }

  async #killThread({ member, delayMs }: Extract<Fault, { kind: 'kill thread' }>): Promise<boolean> {
    if (!(await this.#processes.killThread(member, delayMs))) return false;
    this.#opened.disturbedUntilMs = this.#truth.nowMs;
    // The new thread has published a snapshot.
    this.#opened.tape.moved(this.#truth.nowMs);
    return true;
  }

  /** A caller that has used its minute up must not get another one from the step. */
  async #stepClock(byMs: number): Promise<void> {
    this.#violations.push(...(await this.#opened.burst()));
    const { aheadMs } = this.#processes;
    if (aheadMs !== 0) this.#opened.tape.wrongUpTo(this.#truth.nowMs + aheadMs);
    // Which of the times was wrong is unknown to the service: it may delete what it recorded since it was set last.
    else if (byMs < 0) this.#opened.tape.forget();
    await this.#processes.stepClock(byMs);
    // Shared windows follow the clock of Redis; here they are given the moved one, steps included.
    if (this.plan.hasRoles) this.#opened.passed.forgetMinute();
    this.#violations.push(...(await this.#opened.burst()));
    if (byMs < 0) this.#opened.forgetAsOf();
  }

  async #changeKeys({ number, keyChange }: PlannedStep): Promise<void> {
    const { keys } = this.#opened;
    const serving = this.#processes.serving();
    const draw = unit('key holder', this.plan.seed, number);
    const member = serving[Math.floor(draw * serving.length)]?.member;
    if (!member) return;
    try {
      if (keyChange === 'create' && keys.active.length < KEYS_AT_ONCE)
        keys.created(await member.createKey(this.#accountId));
      // The first key reads the answers.
      const key: CreatedKey | undefined = keys.active[1 + Math.floor(draw * (keys.active.length - 1))];
      if (keyChange === 'revoke' && key) {
        keys.withdraw(key);
        await member.order({ order: 'revoke key', keyId: key.keyId });
        keys.confirmRevoked(key);
      }
    } catch (error) {
      if (!this.#deployment.disk?.isFull) this.#violations.push(`a change of keys failed: ${String(error)}`);
    }
  }

  async stop(): Promise<void> {
    await this.#processes.stop();
    await this.#receiver?.close();
    await this.#sim.close();
    await this.#deployment.stop();
  }
}
