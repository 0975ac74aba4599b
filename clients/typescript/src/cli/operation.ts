import { ENDPOINTS } from '../generated.ts';
import { pagesOf } from '../paging.ts';
import { type Answer as ApiAnswer, type Params, queryOf } from '../request.ts';
import { pause } from '../retry.ts';
import { follow } from '../stream.ts';
import { Transport } from '../transport.ts';
import { answerText } from './answer-text.ts';
import type { Arguments } from './arguments.ts';
import { type OperationCommand, type Terminal, UsageError } from './command.ts';
import { PageProgress } from './progress.ts';
import { apiKeyOf, baseUrlOf } from './settings.ts';
import type { Cells } from './table.ts';

const DEFAULT_POLL_SECONDS = 10;
const CLEAR_SCREEN = '\x1b[H\x1b[2J\x1b[3J';

type Answer = ApiAnswer<unknown>;

/** Calls an operation and prints its answer. */
export async function runOperation(
  command: OperationCommand,
  args: Arguments,
  terminal: Terminal,
): Promise<void> {
  if (args.json === 'true' && args.csv === 'true')
    throw new UsageError('--json and --csv exclude each other');
  if (args.csv === 'true' && !command.hasCsv)
    throw new UsageError(`${command.name} has no rows for --csv; use --json`);
  if (args.csv === 'true' && args.watch !== undefined)
    throw new UsageError('--watch shows tables or --json, not --csv');
  if (args.all === 'true' && args.watch !== undefined)
    throw new UsageError('--watch shows one page; raise --limit instead of --all');
  const call = new OperationCall(command, args, terminal);
  if (args.watch !== undefined) await call.watch(args.watch);
  else if (args.csv === 'true') await call.printCsv();
  else call.print(await call.answer());
}

class OperationCall {
  readonly #command: OperationCommand;
  readonly #args: Arguments;
  readonly #terminal: Terminal;
  readonly #transport: Transport;
  readonly #path: string;
  readonly #params: Params;

  constructor(command: OperationCommand, args: Arguments, terminal: Terminal) {
    this.#command = command;
    this.#args = args;
    this.#terminal = terminal;
    const baseUrl = baseUrlOf(terminal, args.base_url);
    this.#transport = new Transport({ baseUrl, apiKey: apiKeyOf(terminal, baseUrl) });
    const own = command.parameters.filter(({ name }) => args[name] !== undefined);
    this.#path = own
      .filter(({ isPath }) => isPath)
      .reduce(
        (path, { name }) => path.replace(`{${name}}`, encodeURIComponent(args[name] ?? '')),
        command.path,
      );
    this.#params = Object.fromEntries(
      own.filter(({ isPath }) => !isPath).map(({ name }) => [name, args[name]]),
    );
  }

  /** One page, or all of them as one. */
  async answer(): Promise<Answer> {
    if (this.#args.all !== 'true') return this.#page({});
    const { rowsField } = this.#command;
    const rowsIn = (data: unknown) => (rowsField === null ? data : (data as Cells)[rowsField]) as unknown[];
    const progress = new PageProgress(this.#terminal);
    const page = (params: Params) => this.#get(params);
    const rows: unknown[] = [];
    let first: Answer | null = null;
    for await (const answer of pagesOf(page, ({ meta }) => meta.next_cursor, this.#params)) {
      first ??= answer;
      const own = rowsIn(answer.data);
      for (const row of own) rows.push(row);
      progress.note(own.length, answer.meta.total, this.#transport.rateLimit);
    }
    const { data, meta } = first as Answer;
    const { next_cursor: _done, ...rest } = meta;
    const all = rowsField === null ? rows : { ...(data as Cells), [rowsField]: rows };
    return { data: all, meta: { ...rest, count: rows.length } };
  }

  #page(more: Params): Promise<Answer> {
    return this.#get({ ...this.#params, ...more });
  }

  #get(params: Params): Promise<Answer> {
    const { signal } = this.#terminal;
    return this.#transport.get(`${this.#path}${queryOf(params)}`, signal, true) as Promise<Answer>;
  }

  async printCsv(): Promise<void> {
    const { stdout, signal } = this.#terminal;
    const page = (params: Params) => this.#transport.csv(`${this.#path}${queryOf(params)}`, signal);
    if (this.#args.all !== 'true') {
      stdout.write((await page(this.#params)).text);
      return;
    }
    const progress = new PageProgress(this.#terminal);
    let isFirst = true;
    for await (const { text, total } of pagesOf(page, ({ nextCursor }) => nextCursor, this.#params)) {
      // Each page has a header line of its own. Names and figures have no line breaks, so a line is a row.
      const rows = text.slice(text.indexOf('\n') + 1);
      progress.note(rows.split('\n').length - 1, total, this.#transport.rateLimit);
      stdout.write(isFirst ? text : rows);
      isFirst = false;
    }
  }

  /** Shows every update until Ctrl-C: from the stream if there is one, else by polling. */
  async watch(seconds: string): Promise<void> {
    const { signal } = this.#terminal;
    const list = ENDPOINTS.find(({ path }) => path === this.#command.path)?.stream ?? null;
    const updates = seconds === '' && list !== null ? this.#streamed(list) : this.#polled(Number(seconds));
    try {
      for await (const answer of updates) this.#redraw(answer);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async *#streamed(list: NonNullable<(typeof ENDPOINTS)[number]['stream']>): AsyncGenerator<Answer> {
    const { rowsField } = this.#command;
    const { signal, stderr } = this.#terminal;
    const onReconnect = ({ error }: { error: Error | null }) =>
      stderr.write(`perpwire: ${error?.message ?? 'the service restarts'}; connecting again\n`);
    // Rows are sorted here, so they must have the column of the sort; the table shows only the wanted fields.
    const { fields, ...params } = this.#params;
    const wanted = typeof fields === 'string' ? fields.split(',') : null;
    const source = { path: `${this.#path}${queryOf(params)}`, params, list, rowsField };
    for await (const update of follow(this.#transport, source, { signal, onReconnect })) {
      const rows = wanted
        ? update.rows.map((row) => Object.fromEntries(wanted.map((name) => [name, row[name]])))
        : update.rows;
      yield { data: rowsField === null ? rows : { ...update.fields, [rowsField]: rows }, meta: update.meta };
    }
  }

  async *#polled(seconds: number): AsyncGenerator<Answer> {
    let before = '';
    for (;;) {
      const answer = await this.#page({});
      const text = JSON.stringify(answer);
      if (text !== before) yield answer;
      before = text;
      await pause((seconds || DEFAULT_POLL_SECONDS) * 1000, this.#terminal.signal);
    }
  }

  #redraw(answer: Answer): void {
    const { stdout } = this.#terminal;
    if (this.#args.json === 'true') {
      stdout.write(`${JSON.stringify(answer)}\n`);
      return;
    }
    const text = answerText(answer, this.#command, this.#args, this.#terminal);
    if (!stdout.isTTY) {
      stdout.write(`${text}\n`);
      return;
    }
    const lines = text.split('\n');
    // A terminal of unknown size reports 0.
    const room = (stdout.rows || lines.length + 1) - 1;
    const shown = lines.length > room ? [...lines.slice(0, room - 1), '…'] : lines;
    stdout.write(`${CLEAR_SCREEN}${shown.join('\n')}`);
  }

  print(answer: Answer): void {
    const isJson = this.#args.json === 'true';
    this.#terminal.stdout.write(
      isJson
        ? `${JSON.stringify(answer, null, 2)}\n`
        : answerText(answer, this.#command, this.#args, this.#terminal),
    );
  }
}
