import { Problem } from '../../../base/problems.ts';
import { unknownExchange } from '../../../operations/access/refusals.ts';
import { type Prompt, promptValues } from './prompts.ts';

/** The prompts of the server. */
export class PromptLibrary {
  readonly #prompts: readonly Prompt[];
  readonly #baseUrl: string;
  readonly #exchanges: () => readonly string[];

  constructor(prompts: readonly Prompt[], baseUrl: string, exchanges: () => readonly string[]) {
    this.#prompts = prompts;
    this.#baseUrl = baseUrl;
    this.#exchanges = exchanges;
  }

  list(): readonly object[] {
    return this.#prompts.map(({ name, title, description, arguments: taken }) => ({
      name,
      title,
      description,
      arguments: taken.map(({ parameter, isRequired }) => ({
        name: parameter.name,
        description: parameter.description,
        required: isRequired,
      })),
    }));
  }

  /** The messages of a prompt. Throws a Problem whose detail says what to change. */
  get(name: unknown, sent: unknown): object {
    const prompt = this.#prompts.find((one) => one.name === name);
    if (!prompt)
      throw new Problem(
        'invalid-parameter',
        `There is no prompt "${String(name).slice(0, 80)}"; there are ${this.#prompts.map((one) => one.name).join(', ')}.`,
      );
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
      throw new Problem('invalid-parameter', '"arguments" must be an object.');
    const values = promptValues(prompt, sent as Readonly<Record<string, unknown>>, (exchange) => {
      const served = this.#exchanges();
      if (!served.includes(exchange)) throw unknownExchange(exchange, served);
    });
    return {
      description: prompt.description,
      messages: [{ role: 'user', content: { type: 'text', text: prompt.message(values, this.#baseUrl) } }],
    };
  }
}
