/** What the words of a shell stand for: variables, arrays, braces, arithmetic, substitutions, patterns of files. */
import { ExpansionFailure, evaluateArithmetic } from './arithmetic.ts';
import { bracesExpanded } from './shell-braces.ts';
import { Fields } from './shell-fields.ts';
import { changed } from './shell-patterns.ts';
import { hereDocument, readWord, type Word } from './shell-words.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** The state of the shell that words refer to. */
export interface ExpansionScope {
  /** `$0`, `$1`, … */
  parameters(): readonly string[];
  hasOption(name: string): boolean;
  lastCode(): number;
  lastJob(): number | undefined;
  /** Others have their turn. */
  breathe(): Promise<void>;
  /** Runs a script in a shell of its own and returns its output. */
  output(script: string): Promise<string>;
}

/** Exclusive upper bound of `$RANDOM`. */
const randomMax = 32_768;

/** The maximum number of variables: each command gets a copy of them. */
const variablesMax = 5_000;

export class WordExpansion {
  readonly #process: SimulatedProcess;
  readonly #scope: ExpansionScope;

  constructor(process: SimulatedProcess, scope: ExpansionScope) {
    this.#process = process;
    this.#scope = scope;
  }

  braced(words: readonly Word[]): readonly Word[] {
    return this.#scope.hasOption('B') ? words.flatMap(bracesExpanded) : words;
  }

  /** An unquoted word may expand to several words, or to none, and names files by a pattern. */
  async expand(word: Word, isPath = true): Promise<readonly string[]> {
    const fields = new Fields();
    for (const part of word) {
      const listed = this.#listed(part);
      if (listed !== undefined) fields.list(listed);
      else if (part.kind === 'text' || part.isQuoted)
        fields.add(await this.#valueOf(part), part.isQuoted === true);
      else fields.split(await this.#valueOf(part));
    }
    return fields.words(isPath ? this.#process : undefined);
  }

  /** The words that `"$@"` or `"${NAME[@]}"` stands for. */
  #listed(part: Word[number]): readonly string[] | undefined {
    if (part.kind !== 'variable' || !part.isQuoted || part.change || part.fallback) return undefined;
    if (part.index === '@') return this.#elements(part.name);
    return part.name === '@' ? this.#scope.parameters().slice(1) : undefined;
  }

  /** A pattern of `case`: what is quoted stands for itself. */
  async patternOf(word: Word): Promise<string> {
    const parts = await Promise.all(
      word.map(async (part) => {
        const text = await this.#valueOf(part);
        return part.isQuoted ? text.replaceAll(/[*?[\]\\]/g, '\\$&') : text;
      }),
    );
    return parts.join('');
  }

  async #valueOf(part: Word[number]): Promise<string> {
    if (part.kind === 'text') return part.text;
    if (part.kind === 'command') return this.#scope.output(part.script);
    if (part.kind === 'arithmetic') return String(await this.evaluated(part.expression));
    if (part.name === '?') return String(this.#scope.lastCode());
    if (part.name === '$') return String(this.#process.pid);
    if (part.name === '!') return String(this.#scope.lastJob() ?? '');
    if (part.change !== undefined)
      return changed(this.variable(part.name) ?? '', part.change, () => this.#scope.breathe());
    if (part.index !== undefined) return this.#element(part.name, part.index) ?? '';
    const value = this.variable(part.name);
    if (part.fallback !== undefined) return this.#fallback(part.name, value, part.fallback);
    if (value === undefined && this.#scope.hasOption('u'))
      throw new ExpansionFailure(`${part.name}: parameter not set`);
    return value ?? '';
  }

  async evaluated(expression: string): Promise<number> {
    const text = (await this.expand(hereDocument(expression), false)).join(' ');
    const assign = (name: string, value: number) => setVariable(this.#process.env, name, String(value));
    return evaluateArithmetic(text, { value: (name) => this.variable(name) || '0', assign });
  }

  /** `-` and `=` replace a missing value, `+` replaces one that is there, `?` ends the script. */
  async #fallback(
    name: string,
    value: string | undefined,
    { operator, text }: { readonly operator: string; readonly text: string },
  ): Promise<string> {
    const isThere = value !== undefined && (value !== '' || !operator.startsWith(':'));
    const kind = operator.at(-1);
    if (kind === '+' ? !isThere : isThere) return kind === '+' ? '' : value!;
    const replacement = (await this.expand(readWord(`"${text.replaceAll('"', '')}"`).word, false)).join(' ');
    if (kind === '=') setVariable(this.#process.env, name, replacement);
    if (kind === '?') throw new ExpansionFailure(`${name}: ${replacement || 'parameter not set'}`);
    return replacement;
  }

  get arrays(): Map<string, readonly string[]> {
    return this.#process.arrays!;
  }

  /** A variable that is no array has one element. */
  #elements(name: string): readonly string[] {
    const value = this.variable(name);
    return this.arrays.get(name) ?? (value === undefined ? [] : [value]);
  }

  #element(name: string, index: string): string | undefined {
    const elements = this.#elements(name);
    if (index === '@' || index === '*') return elements.join(' ');
    if (index === '#') return String(elements.length);
    const valueOf = (one: string) => this.variable(one) || '0';
    return elements.at(evaluateArithmetic(index.replaceAll('$', ''), { value: valueOf }));
  }

  variable(name: string): string | undefined {
    const { env, hostname, random } = this.#process;
    if (name === 'RANDOM') return String(Math.floor(random.next() * randomMax));
    if (/^\d+$/.test(name)) return this.#scope.parameters()[Number(name)];
    if (name === '#') return String(Math.max(0, this.#scope.parameters().length - 1));
    if (name === '@' || name === '*') return this.#scope.parameters().slice(1).join(' ');
    return env.get(name) ?? this.arrays.get(name)?.[0] ?? (name === 'HOSTNAME' ? hostname : undefined);
  }
}

/** @throws ExpansionFailure for more variables than a shell may have */
export function setVariable(env: Map<string, string>, name: string, value: string): void {
  if (env.size >= variablesMax && !env.has(name)) throw new ExpansionFailure('out of memory');
  env.set(name, value);
}
