/**
 * Loaded before the program (`node --import`) to instrument modules as they load. In a checkout these are the sources,
 * in the package the bundles, whose source maps identify the functions.
 */

import { readFileSync } from 'node:fs';
import module from 'node:module';
import process from 'node:process';
import type { CalledFunction } from '@coxswain/trace/called-function.ts';
import type { AnyIterator, CallListener } from '@coxswain/trace/functions/function-calls.ts';
import { nodePlaces } from '../node-places.ts';
import {
  functionsVariable,
  parseFunctionOptions,
  type FunctionOptions,
  type InstrumentedModules,
} from './function-options.ts';
import { hookName, instrument, originalColumn, type Shifts } from './instrument.ts';

/** The recorder itself, and the code between a step and its observer. */
const notOurs =
  /^(?!packages\/[\w-]+\/src\/)|^packages\/(?:trace\/|apimachinery\/src\/(?:step|clock)\.ts|coxswain\/src\/trace\/functions\/)/;

/** Added in Node 22.15. */
interface NewerModule {
  registerHooks(hooks: {
    load(url: string, context: object, nextLoad: (url: string, context: object) => object): object;
  }): void;
  stripTypeScriptTypes(code: string): string;
}

const newer = module as unknown as NewerModule;

class LoadedModules implements InstrumentedModules {
  readonly depthMax: number;
  readonly #packages: ReadonlySet<string>;
  readonly #functions: CalledFunction[] = [];
  readonly #shifts = new Map<string, Shifts>();
  readonly #places = nodePlaces();
  #listener: CallListener | undefined = undefined;

  constructor({ packages, depth }: FunctionOptions) {
    this.#packages = new Set(packages);
    this.depthMax = depth;
  }

  sees(url: string): boolean {
    return this.#shifts.has(url);
  }

  listen(listener: CallListener): void {
    this.#listener = listener;
  }

  originalColumn(url: string, line: number, column: number): number {
    const shifts = this.#shifts.get(url);
    return shifts === undefined ? column : originalColumn(shifts, line, column);
  }

  load(url: string, code: string): string {
    const { code: instrumented, shifts } = instrument(
      code,
      (line, column) => {
        const { file, line: own, column: at = 1 } = this.#places.source(url, line, column);
        return !notOurs.test(file) ? { file, line: own, column: at } : undefined;
      },
      (found) => (this.#isWanted(found.file) ? this.#functions.push(found) - 1 : undefined),
    );
    this.#shifts.set(url, shifts);
    return instrumented;
  }

  #isWanted(file: string): boolean {
    return this.#packages.size === 0 || this.#packages.has(file.split('/')[1] ?? '');
  }

  /** The function that instrumented functions call. */
  hook(): object {
    const call = <T>(id: number, args: readonly unknown[], body: () => T): T =>
      this.#listener === undefined ? body() : this.#listener.call(this.#functions[id]!, args, body, call);
    const iterate = <T extends AnyIterator>(id: number, args: readonly unknown[], body: () => T): T =>
      this.#listener === undefined
        ? body()
        : this.#listener.iterate(this.#functions[id]!, args, body, iterate);
    return Object.assign(call, { iterate });
  }
}

const options = parseFunctionOptions(process.env[functionsVariable] ?? '{}');
const modules = new LoadedModules(options);
const globals = globalThis as Record<string, unknown>;
globals[hookName] = modules.hook();
globals[functionsVariable] = modules;

/** Bundles and sources; npm packages are left unmodified. */
const isOwn = (url: string): boolean =>
  (/\/packages\/[\w-]+\/src\/[^?]*\.ts$/.test(url) && !url.includes('/node_modules/')) ||
  /\/lib\/[\w-]+\.mjs$/.test(url);

newer.registerHooks({
  load(url, context, nextLoad) {
    if (!isOwn(url)) return nextLoad(url, context);
    const text = readFileSync(new URL(url), 'utf8');
    const code = url.endsWith('.ts') ? newer.stripTypeScriptTypes(text) : text;
    return { format: 'module', source: modules.load(url, code), shortCircuit: true };
  },
});
