/** The functions of a shell, and the call in progress. */
import { ExpansionFailure } from './arithmetic.ts';
import type { ShellCommand } from './shell-syntax.ts';

/** The depth of calls. */
const callsMax = 500;

export class FunctionCalls {
  readonly #env: Map<string, string>;
  readonly #bodies: Map<string, ShellCommand>;
  /** The variables that each call has declared, with their values outside. */
  readonly #locals: Map<string, string | undefined>[] = [];
  /** The innermost call is about to end. */
  isReturning = false;
  /** The PID of the last background job. */
  lastJob: number | undefined;

  constructor(env: Map<string, string>, bodies: ReadonlyMap<string, ShellCommand> = new Map()) {
    this.#env = env;
    this.#bodies = new Map(bodies);
  }

  /** For a subshell, whose definitions stay its own. */
  copy(env: Map<string, string>): FunctionCalls {
    const copy = new FunctionCalls(env, this.#bodies);
    copy.#locals.push(...this.#locals.map((locals) => new Map(locals)));
    copy.lastJob = this.lastJob;
    return copy;
  }

  define(name: string, body: ShellCommand): void {
    this.#bodies.set(name, body);
  }

  find(name: string): ShellCommand | undefined {
    return this.#bodies.get(name);
  }

  async call(run: () => Promise<number>): Promise<number> {
    if (this.#locals.length === callsMax) throw new ExpansionFailure('maximum function nesting exceeded');
    const locals = new Map<string, string | undefined>();
    this.#locals.push(locals);
    try {
      return await run();
    } finally {
      this.isReturning = false;
      this.#locals.pop();
      for (const [name, value] of locals)
        if (value === undefined) this.#env.delete(name);
        else this.#env.set(name, value);
    }
  }

  /** Ends the innermost call. False if there is none. */
  return(): boolean {
    this.isReturning = this.#locals.length > 0;
    return this.isReturning;
  }

  /** `local NAME` or `local NAME=value`. */
  declare(word: string): void {
    const equals = word.indexOf('=');
    const name = equals < 0 ? word : word.slice(0, equals);
    const locals = this.#locals.at(-1);
    if (locals !== undefined && !locals.has(name)) locals.set(name, this.#env.get(name));
    if (equals >= 0) this.#env.set(name, word.slice(equals + 1));
  }
}
