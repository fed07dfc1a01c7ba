/** Objects at random out of a definition's schema: mostly right, here and there of a wrong type, null or unknown. */
import type { Random } from '@coxswain/apimachinery';

export interface JsonSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

/** Schemas of Pods inside of definitions would lead far. */
const depthMax = 6;

const strange: readonly unknown[] = [null, 'text', '', 7, -1, 1.5, true, [], {}, ['a', 'a'], { unknown: 1 }];

const formats: Readonly<Record<string, string>> = {
  'date-time': '2024-01-02T03:04:05Z',
  duration: '5m',
  uri: 'https://example.com/a',
  byte: 'YWI=',
};

export class RandomObjects {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  value(schema: JsonSchema, depth = 0): unknown {
    if (this.#chance(0.04)) return this.#pick(strange);
    if (schema.enum !== undefined && this.#chance(0.9)) return this.#pick(schema.enum);
    if (schema['x-kubernetes-int-or-string']) return this.#pick<unknown>([3, '50%', 'name']);
    switch (schema.type) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return depth > depthMax ? [] : this.#list(schema.items ?? {}, depth);
      case 'string':
        return (
          formats[schema.format ?? ''] ?? this.#pick(['a', 'name', 'b-c', 'example.com', '/path', 'A b', '1'])
        );
      case 'integer':
        return Math.max(this.#pick([0, 1, 2, 80, 443, 5000]), schema.minimum ?? 0);
      case 'number':
        return this.#pick([0.5, 1, 2.25]);
      case 'boolean':
        return this.#chance(0.5);
      default:
        return this.#pick(strange);
    }
  }

  #object(schema: JsonSchema, depth: number): object {
    const { properties = {}, required = [], additionalProperties } = schema;
    const result: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(properties)) {
      const isWanted = required.includes(name) ? this.#chance(0.97) : depth < depthMax && this.#chance(0.3);
      if (isWanted) result[name] = this.value(member, depth + 1);
    }
    if (typeof additionalProperties === 'object') result['key'] = this.value(additionalProperties, depth + 1);
    if (this.#chance(0.03)) result['notInTheSchema'] = 1;
    return result;
  }

  #list(items: JsonSchema, depth: number): readonly unknown[] {
    const one = this.value(items, depth + 1);
    return this.#pick([[], [one], [one, this.value(items, depth + 1)], [one, one]]);
  }

  #chance(share: number): boolean {
    return this.#random.next() < share;
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.#random.next() * choices.length)]!;
  }
}
