/** Parameters that many operations of an OpenAPI v2 document share are written once and referred to. */

import { referenceTo, type OpenApiSchema } from './definitions.ts';
import { definitionName } from './names.ts';

/** Upstream writes these inline, since their descriptions vary. */
const writtenOut: ReadonlySet<string> = new Set(['dryRun', 'fieldValidation', 'name']);

const sharedBodies: ReadonlySet<unknown> = new Set(
  ['Patch', 'DeleteOptions'].map((name) => referenceTo(definitionName(`meta/v1.${name}`), 'v2')['$ref']),
);

/** Parameter names by content: few of them occur in thousands of operations, the same in every fragment. */
export type ParameterNames = Map<string, string>;

export class ParameterTable {
  readonly #names: ParameterNames;
  readonly #parameters = new Map<string, OpenApiSchema>();

  constructor(names: ParameterNames = new Map()) {
    this.#names = names;
  }

  /** Returns the parameter, or a reference to it. */
  refer(parameter: OpenApiSchema): OpenApiSchema {
    if (!isShared(parameter)) return parameter;
    const text = JSON.stringify(parameter);
    let name = this.#names.get(text);
    if (name === undefined) {
      name = `${parameter['name'] as string}-${hashOf(text)}`;
      this.#names.set(text, name);
    }
    this.#parameters.set(name, parameter);
    return { $ref: `#/parameters/${name}` };
  }

  /** The parameters that were referred to. */
  get referred(): ReadonlyMap<string, OpenApiSchema> {
    return this.#parameters;
  }
}

function isShared({ name, in: place, schema }: OpenApiSchema): boolean {
  if (place === 'body') return sharedBodies.has((schema as OpenApiSchema)['$ref']);
  return !writtenOut.has(name as string);
}

/** Eight characters that depend on the text: 40 bits of FNV-1a. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const character of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(character)) * 0x100000001b3n);
  }
  return BigInt.asUintN(40, hash).toString(32).padStart(8, '0');
}
