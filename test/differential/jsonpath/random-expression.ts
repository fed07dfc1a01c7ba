/** JSONPath expressions at random, mostly sensible ones, for the objects that are made here, too. */
import type { Random } from '@coxswain/apimachinery';

const keys = [
  'conditions',
  'parts',
  'numbers',
  'matrix',
  'nested',
  'text',
  'size',
  'ratio',
  'isOn',
  'none',
  'huge',
];
const itemKeys = ['type', 'status', 'size', 'ratio', 'isOn', 'tags', 'nested', 'missing', 'none'];
const texts = ['Ready', 'True', 'False', 'a', 'b', 'x y', 'a.b', 'é'];
const literals = [
  '"Ready"',
  "'True'",
  '"a"',
  '1',
  '2',
  '-1',
  '1.5',
  '1.0',
  'true',
  'false',
  '@.status',
  '3e2',
  '"x y"',
];
const comparisons = ['==', '==', '==', '!=', '<', '>', '<=', '>=', '=', '=~', '<>'];
/** Of two-part names and what is before them. */
const odd = [
  "['a.b']",
  "['a\\.b']",
  '.a\\.b',
  "['with space']",
  '["double"]',
  "['é']",
  '.é',
  '.*',
  '[]',
  "['']",
  '..',
];

export class RandomExpressions {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Without braces, from a dot on. */
  path(): string {
    const path = `.spec${this.#start()}${this.#steps()}`;
    return this.#chance(0.06) ? this.#broken(path) : path;
  }

  /** Text, paths and ranges. */
  template(): string {
    const kind = this.#random.next();
    if (kind < 0.6) return `{${this.path()}}`;
    if (kind < 0.7) return `${this.#pick(['a ', '', '\\n'])}{${this.path()}}{"\\n"}{${this.path()}}`;
    if (kind < 0.85) {
      const end = this.#chance(0.9) ? '{end}' : '';
      return `{range ${this.#pick(['.spec.conditions[*]', '.spec.parts[*]', '.spec.none', '.spec.matrix[*]', this.path()])}}{${this.#pick(['.type', '.size', '', '.tags[0]', '@'])}}{"\\t"}${end}{.kind}`;
    }
    return this.#pick([
      '{.kind}{end}',
      '{range}',
      '{1}',
      '{1.50}',
      '{true}',
      '{"a\\tb"}',
      "{'it\\'s'}",
      '{$.kind}',
      '{@.kind}',
      '{.kind',
      '{-}',
      '{+1}',
      '{kind}',
      '{..}',
      '{...}',
      '{.spec..size}',
      '{"\\q"}',
      '{"open}',
      '{.spec.numbers[0}',
      '{{.kind}}',
      '{.spec.parts[?(@.size==1].type}',
      '{.spec.parts[?(@.type=="a)")].size}',
      '{#}',
      '{\t.kind}',
      '}',
      '{}',
      '',
      '{[0]}',
      '{.spec.text.*}',
      '{.spec.parts[?(range)].size}',
      '{.metadata.name} {.spec.size} {.spec.huge}',
    ]);
  }

  #start(): string {
    return this.#chance(0.08) ? this.#pick(odd) : this.#key(keys);
  }

  #steps(): string {
    let text = '';
    while (this.#chance(0.62) && text.length < 60) text += this.#step();
    return text;
  }

  #step(): string {
    const kind = this.#random.next();
    if (kind < 0.3) return this.#key(itemKeys);
    if (kind < 0.55) return `[?(${this.#condition()})]`;
    if (kind < 0.9) return `[${this.#index()}]`;
    return this.#chance(0.5) ? `.${this.#key(itemKeys)}` : this.#pick(odd);
  }

  #key(names: readonly string[]): string {
    const name = this.#pick(names);
    return this.#chance(0.15) ? `['${name}']` : `.${name}`;
  }

  #condition(): string {
    const left = `@${this.#chance(0.12) ? '' : this.#key(itemKeys)}${this.#chance(0.15) ? `[${this.#index()}]` : ''}`;
    if (this.#chance(0.2)) return left;
    const space = this.#pick(['', '', '', ' ']);
    return `${left}${space}${this.#pick(comparisons)}${space}${this.#pick(literals)}`;
  }

  #index(): string {
    const number = () => this.#pick(['', '0', '1', '2', '-1', '-2', '7', '-9']);
    return this.#pick([
      '*',
      '*',
      '0',
      '1',
      '-1',
      number(),
      `${number()}:${number()}`,
      `${number()}:${number()}:${this.#pick(['', '1', '2', '0', '-1'])}`,
      `${number()},${number()}`,
      "'type','size'",
      "'a', 'status'",
      'x',
      '1.5',
      '99999999999999999999',
    ]);
  }

  #broken(path: string): string {
    const at = 1 + Math.floor(this.#random.next() * (path.length - 1));
    return this.#pick([
      path.slice(0, at),
      path.slice(0, at) + path.slice(at + 1),
      path.slice(0, at) + this.#pick(['{', '[', ']', ')', '"', '\\', '~', ' ', '.']) + path.slice(at),
    ]);
  }

  /** What a spec may hold; some members are missing, some of another type than in others. */
  spec(): Readonly<Record<string, unknown>> {
    const spec: Record<string, unknown> = {
      conditions: this.#list(() => this.#item()),
      parts: this.#list(() => this.#item()),
      numbers: this.#list(() => this.#pick<unknown>([0, 1, 2, -3, 1.5, 1000650000])),
      matrix: this.#list(() => this.#list(() => this.#pick<unknown>([1, 2, 'a', null]))),
      nested: { a: { b: 1 }, 'a.b': 'dotted', type: 'inner', 'with space': true, é: 'accent' },
      'a.b': 'dotted',
      text: this.#pick(texts),
      size: this.#pick<unknown>([0, 1, 2, 123456789, '3']),
      ratio: this.#pick<unknown>([0.5, 1, 2.25, 1e-7, 1e21]),
      isOn: this.#chance(0.5),
      none: null,
      huge: this.#pick<unknown>([9007199254740991, 1e20, 0.1]),
    };
    for (const key of keys) if (this.#chance(0.06)) delete spec[key];
    return spec;
  }

  #item(): unknown {
    if (this.#chance(0.06)) return this.#pick<unknown>([null, 'a', 7, [], {}, true]);
    const item: Record<string, unknown> = {
      type: this.#pick(texts),
      status: this.#pick<unknown>(['True', 'False', 'Unknown']),
      size: this.#pick<unknown>([0, 1, 2, 1.5]),
      ratio: this.#pick<unknown>([0.5, 1.5, 2]),
      isOn: this.#chance(0.5),
      tags: this.#list(() => this.#pick(texts)),
      nested: { type: this.#pick(texts), size: 1 },
      none: null,
    };
    for (const key of itemKeys) if (this.#chance(0.08)) delete item[key];
    return item;
  }

  #list<T>(make: () => T): T[] {
    return Array.from({ length: this.#pick([0, 1, 2, 3, 3]) }, make);
  }

  #chance(probability: number): boolean {
    return this.#random.next() < probability;
  }

  #pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random.next() * values.length)]!;
  }
}
