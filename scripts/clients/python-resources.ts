import type { AnyOperation } from '../../src/operations/operation.ts';
import type { JsonSchema, Parameter, ParameterSet } from '../../src/query/parameter.ts';
import { type ClientBranch, clientTree } from './client-endpoints.ts';
import { constantName, placesOf } from './python-endpoints.ts';
import {
  choiceName,
  choicesOf,
  dataName,
  PYTHON_HEADER,
  pascalCase,
  plainType,
  pythonName,
  rowName,
} from './python-types.ts';

/** What differs between the two clients. */
interface Flavour {
  prefix: '' | 'Async';
  def: 'def' | 'async def';
  await: '' | 'await ';
}

const SYNC: Flavour = { prefix: '', def: 'def', await: '' };
const ASYNC: Flavour = { prefix: 'Async', def: 'async def', await: 'await ' };

/** `resources.py` or `async_resources.py`: the endpoints as attributes and methods of a client. */
export function pythonResources(operations: readonly AnyOperation[], isAsync: boolean): string {
  const flavour = isAsync ? ASYNC : SYNC;
  const { prefix } = flavour;
  const tree = clientTree(operations);
  return [
    PYTHON_HEADER,
    'from __future__ import annotations\n',
    'import datetime\nfrom collections.abc import Sequence\nfrom typing import Any, overload\n',
    'from . import endpoints, types',
    `from .answers import Answer, ${prefix}Rows, Table`,
    `from .resource import ${prefix}Resource`,
    `from .streams import ${prefix}Stream`,
    `from .transport import ${prefix}Transport\n\n`,
    ...[...tree.branches].flatMap(([name, branch]) => classTexts(name, branch, flavour)),
    `class ${prefix}Resources:\n    "All endpoints, as attributes of the client."\n`,
    constructorText(tree, '', flavour),
  ].join('\n');
}

const className = (name: string, { prefix }: Flavour) => `${prefix}${pascalCase(name)}Resource`;

/** The class of a branch, after those of the branches below it. */
function classTexts(name: string, branch: ClientBranch, flavour: Flavour): string[] {
  const below = [...branch.branches].flatMap(([part, inner]) =>
    classTexts(`${name}_${part}`, inner, flavour),
  );
  const methods = [
    ...branch.lists.flatMap((operation) => listTexts(operation, flavour)),
    ...branch.methods.map(({ name: method, operation }) => methodText(operation, method, flavour)),
  ];
  const init = branch.branches.size === 0 ? [] : [constructorText(branch, `${name}_`, flavour)];
  const head = `class ${className(name, flavour)}(${flavour.prefix}Resource):`;
  return [...below, [head, ...init, ...methods, ''].join('\n')];
}

function constructorText({ branches }: ClientBranch, outer: string, flavour: Flavour): string {
  const start = outer === '' ? '' : '        super().__init__(transport)\n';
  const lines = [...branches.keys()].map(
    (name) => `        self.${name} = ${className(`${outer}${name}`, flavour)}(transport)\n`,
  );
  return `    def __init__(self, transport: ${flavour.prefix}Transport) -> None:\n${start}${lines.join('')}`;
}

function methodText(operation: AnyOperation, name: string, flavour: Flavour): string {
  const hasRows = placesOf(operation).length > 0;
  const answer = hasRows ? 'Table' : 'Answer';
  return text({
    name,
    operation,
    parameters: operation.parameters,
    result: (isPicked) => `${answer}[types.${dataName(operation, isPicked)}]`,
    summary: operation.summary,
    isDescribed: true,
    def: flavour.def,
    call: `${flavour.await}self.${hasRows ? '_table' : '_get'}`,
  });
}

function listTexts(operation: AnyOperation, flavour: Flavour): string[] {
  const { prefix } = flavour;
  const list = methodText(operation, 'list', flavour);
  const row = (isPicked: boolean) => `types.${rowName(operation, isPicked)}`;
  const all = text({
    name: 'all',
    operation,
    parameters: operation.parameters,
    result: (isPicked) => `${prefix}Rows[${row(isPicked)}]`,
    summary: 'All rows, page after page from one snapshot. The parameters are those of list.',
    isDescribed: false,
    def: 'def',
    call: 'self._all',
  });
  if (operation.stream === undefined) return [list, all];
  const stream = text({
    name: 'stream',
    operation,
    parameters: operation.stream.parameters,
    result: (isPicked) => `${prefix}Stream[${row(isPicked)}]`,
    summary: 'The changes of the list as they happen. The parameters are those of list, without cursor.',
    isDescribed: false,
    def: 'def',
    call: 'self._stream',
  });
  return [list, all, stream];
}

interface Method {
  name: string;
  operation: AnyOperation;
  parameters: ParameterSet;
  /** The type of what it returns. `isPicked`: if `fields` is given. */
  result(isPicked: boolean): string;
  summary: string;
  isDescribed: boolean;
  def: string;
  call: string;
}

/** With `fields` there is an overload for whole rows and one for rows that have some of their fields. */
function text(method: Method): string {
  const { operation, parameters, name, def, summary } = method;
  const all = Object.values(parameters);
  const path = all.find((one) => one.in === 'path');
  const query = all.filter((one) => one.in === 'query');
  const described = method.isDescribed ? query.map(descriptionLine).join('') : '';
  const doc = described === '' ? summary : `${summary}.\n\n${described}        `;
  const endpoint = `endpoints.${constantName(operation)}`;
  const last = path === undefined ? '' : `, ${path.name}`;
  const body = (params: string) =>
    `        """${doc}"""\n        return ${method.call}(${endpoint}, ${params}${last})\n`;
  const signature = (isPicked: boolean) => {
    const own = path === undefined ? '' : `        ${path.name}: str,\n`;
    const star = query.length === 0 ? '' : '        *,\n';
    const lines = query.map((one) => `        ${argument(operation, one, isPicked)},\n`);
    // Without a default, `fields` tells the overloads apart.
    return `    ${def} ${name}(\n        self,\n${own}${star}${lines.join('')}    ) -> ${method.result(isPicked)}:`;
  };
  if (parameters.fields === undefined) {
    const params = query.map((one) => `"${one.name}": ${pythonName(one.name)}`);
    return `${signature(false)}\n${body(`{${params.join(', ')}}`)}`;
  }
  const own = path === undefined ? '' : `${path.name}: str, `;
  return [
    `    @overload\n${signature(false)} ...\n`,
    `    @overload\n${signature(true)} ...\n`,
    `    ${def} ${name}(self, ${own}**params: Any) -> Any:\n${body('params')}`,
  ].join('\n');
}

function descriptionLine({ name, description }: Parameter): string {
  return `        ${pythonName(name)}: ${description.replaceAll('\\', '\\\\')}\n`;
}

function argument(operation: AnyOperation, parameter: Parameter, isPicked: boolean): string {
  if (parameter.name === 'fields')
    return isPicked ? `fields: Sequence[types.${choiceName(operation, parameter)}]` : 'fields: None = None';
  const type = argumentType(operation, parameter);
  return `${pythonName(parameter.name)}: ${type}${parameter.isRequired ? '' : ' | None = None'}`;
}

function argumentType(operation: AnyOperation, parameter: Parameter): string {
  const { schema, isList } = parameter;
  if (schema.format === 'date-time') return 'str | datetime.date';
  const isChoice = choicesOf(parameter) !== null;
  const plain = isChoice
    ? `types.${choiceName(operation, parameter)}`
    : plainType(isList ? (schema.items as JsonSchema) : schema);
  return isList ? `${plain} | Sequence[${plain}]` : plain;
}
