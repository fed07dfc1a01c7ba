/** The options that `coxswain trace --functions` passes to the process that it starts. */

import type { CallSource } from '@coxswain/trace/functions/function-calls.ts';

export interface FunctionOptions {
  /** Directories of `packages`; empty for all. */
  readonly packages: readonly string[];
  readonly depth: number;
}

/** Modules that report calls of their functions. */
export interface InstrumentedModules extends CallSource {
  /** Returns the column at which the code stood before the module was instrumented. */
  originalColumn(url: string, line: number, column: number): number;
}

/** The name of the environment variable with the options, and of the global property with the source of calls. */
export const functionsVariable = 'COXSWAIN_FUNCTIONS';

export const depthDefault = 1_000;

export function parseFunctionOptions(text: string): FunctionOptions {
  const { packages = [], depth = depthDefault } = JSON.parse(text) as Partial<FunctionOptions>;
  return { packages, depth };
}

/** The instrumented modules of this process; undefined if they were loaded unmodified. */
export const instrumentedModules = (): InstrumentedModules | undefined =>
  (globalThis as { readonly [functionsVariable]?: InstrumentedModules })[functionsVariable];
