import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApiDocument } from '../../src/operations/description/openapi.ts';
import { OPERATIONS } from '../../src/operations/registry.ts';

/** What a test has of an answer. */
interface AnswerSeen {
  status: number;
  headers: Headers;
  text: string;
}

interface HeaderObject {
  required: boolean;
  schema: object;
}
interface MediaType {
  schema: object;
  examples: Record<string, { value: unknown }>;
}
interface ResponseObject {
  headers: Record<string, { $ref: string }>;
  content?: Record<string, MediaType>;
}
export interface OpenApi {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, { get: OperationObject }>;
  components: { headers: Record<string, HeaderObject>; schemas: Record<string, object> };
}
interface OperationObject {
  operationId: string;
  deprecated?: boolean;
  security: object[];
  parameters?: ParameterObject[];
  responses: Record<string, ResponseObject>;
}
export interface ParameterObject {
  name: string;
  in: string;
  required: boolean;
  style?: string;
  explode?: boolean;
  schema: Record<string, unknown>;
  example?: unknown;
}

/** A description made ready for checking answers against it. */
export class Description {
  readonly document: OpenApi;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: object) {
    this.document = document as OpenApi;
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({ $id: 'whole', ...closed(document, false) });
    this.#ajv.addSchema({ $id: 'rows', ...closed(document, true) });
  }

  /** The described path that an address belongs to; fixed paths win over those with parameters. */
  pathOf(url: string): string | null {
    const path = (URL.parse(url)?.pathname ?? url.split('?')[0] ?? '').replace(/(?<=.)\/$/, '');
    if (Object.hasOwn(this.document.paths, path)) return path;
    const isSame = (described: string) =>
      new RegExp(`^${described.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
    return Object.keys(this.document.paths).find((one) => one.includes('{') && isSame(one)) ?? null;
  }

  /** Fails unless status, headers and body are as described. An address that is not described must be a 404. */
  assertFits(url: string, answer: AnswerSeen, method = 'GET'): void {
    const where = `${method} ${url.slice(0, 200)}: ${answer.status}`;
    if (method === 'OPTIONS') {
      assert.equal(answer.status, 204, where);
      assert.equal(answer.headers.get('access-control-allow-origin'), '*', where);
      return;
    }
    const path = this.pathOf(url);
    if (path === null) {
      assert.ok(answer.status === 404 || answer.status === 400, `${where} on a path that is not described`);
      this.#assertProblem(answer, where);
      return;
    }
    const described = this.document.paths[path]?.get.responses[answer.status];
    assert.ok(described, `${where} is not a described status of ${path}: ${answer.text.slice(0, 300)}`);
    this.#assertHeaders(described, answer, where);
    if (method === 'HEAD' || answer.status === 304) assert.equal(answer.text, '', where);
    else this.#assertBody(path, described, url, answer, where);
  }

  /** What is wrong with a value; null when it fits the schema at the pointer. */
  misfit(pointer: string, value: unknown, isEveryRowWhole = false): string | null {
    const reference = `${isEveryRowWhole ? 'rows' : 'whole'}#${pointer}`;
    let validate = this.#compiled.get(reference);
    if (!validate) {
      validate = this.#ajv.compile({ $ref: reference });
      this.#compiled.set(reference, validate);
    }
    return validate(value) ? null : this.#ajv.errorsText(validate.errors);
  }

  #assertHeaders(described: ResponseObject, { headers }: AnswerSeen, where: string): void {
    for (const [name, { $ref }] of Object.entries(described.headers)) {
      const component = $ref.split('/').at(-1) ?? '';
      const value = headers.get(name);
      const isNeeded = this.document.components.headers[component]?.required;
      if (value === null) assert.ok(!isNeeded, `${where} lacks ${name}`);
      else {
        const misfit = this.misfit(`/components/headers/${component}/schema`, value);
        assert.equal(misfit, null, `${where} ${name}: "${value}" ${misfit}`);
      }
    }
    for (const name of ['ratelimit', 'retry-after', 'www-authenticate', 'allow', 'deprecation', 'sunset'])
      if (headers.has(name)) {
        const names = Object.keys(described.headers).map((one) => one.toLowerCase());
        assert.ok(names.includes(name), `${where} carries ${name}, which is not described`);
      }
  }

  #assertBody(path: string, described: ResponseObject, url: string, answer: AnswerSeen, where: string): void {
    const type = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
    assert.ok(described.content?.[type], `${where} has the content type "${type}"`);
    const [a, b] = [pointerPart(path), pointerPart(type)];
    // A test that reads another format than JSON checks its rows itself.
    const value = type.endsWith('json') ? (JSON.parse(answer.text) as unknown) : answer.text;
    const hasFields = new URLSearchParams(url.split('?')[1] ?? '').has('fields');
    const misfit = this.misfit(
      `/paths/${a}/get/responses/${answer.status}/content/${b}/schema`,
      value,
      !hasFields,
    );
    assert.equal(misfit, null, `${where}: ${misfit}\n${answer.text.slice(0, 500)}`);
  }

  #assertProblem(answer: AnswerSeen, where: string): void {
    assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/, where);
    if (answer.text === '') return;
    const misfit = this.misfit('/components/schemas/Problem', JSON.parse(answer.text));
    assert.equal(misfit, null, `${where}: ${misfit}`);
  }
}

function pointerPart(text: string): string {
  return encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/**
 * Clients must bear new fields, so the published schemas are open; here a field that is not described is a mistake.
 * Without `fields` in the question every row is whole, so then the variant for parts of rows goes.
 */
function closed<T>(schema: T, isEveryRowWhole: boolean): T {
  if (Array.isArray(schema)) return schema.map((item) => closed(item, isEveryRowWhole)) as T;
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'example' || name === 'examples') continue;
    copy[name] = closed(value, isEveryRowWhole);
  }
  if (isEveryRowWhole && Array.isArray(copy.anyOf)) {
    const whole = copy.anyOf.filter((one) => !String((one as { $ref?: string }).$ref).endsWith('Fields'));
    if (whole.length < copy.anyOf.length) return whole[0] as T;
  }
  // A part of an allOf sees only its own properties, so it must stay open.
  if (copy.properties && copy.required && copy.type === 'object') copy.additionalProperties ??= false;
  if (copy.properties && copy.minProperties === 1) copy.additionalProperties = false;
  return copy as T;
}

let ours: Description | null = null;

/** The description of our own operations; a test shows that this is what the server serves. */
export function ourDescription(): Description {
  ours ??= new Description(openApiDocument(OPERATIONS, 'http://127.0.0.1:8080'));
  return ours;
}

/** Fails unless the answer is one that the API description promises for this path or address. */
export function assertFitsDescription(url: string, answer: AnswerSeen, method = 'GET'): void {
  ourDescription().assertFits(url, answer, method);
}
