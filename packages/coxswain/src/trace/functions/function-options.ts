/** How `coxswain trace --functions` tells the process that it starts what to see. */

import type { CallSource } from '@coxswain/trace/functions/function-calls.ts';

export interface FunctionOptions {
  /** Folders of `packages`; all where there are none. */
  readonly packages: readonly string[];
  readonly depth: number;
}

/** Modules that tell of the calls of their functions. */
export interface InstrumentedModules extends CallSource {
  /** Where a column stood before the module was instrumented. */
  originalColumn(url: string, line: number, column: number): number;
}

/** In the environment the options, on the global object the source of calls. */
export const functionsVariable = 'COXSWAIN_FUNCTIONS';

export const depthDefault = 1_000;

export function parseFunctionOptions(text: string): FunctionOptions {
  const { packages = [], depth = depthDefault } = JSON.parse(text) as Partial<FunctionOptions>;
  return { packages, depth };
}

/** Those of this process; nothing where they were loaded as they are. */
export const instrumentedModules = (): InstrumentedModules | undefined =>
  (globalThis as { readonly [functionsVariable]?: InstrumentedModules })[functionsVariable];
