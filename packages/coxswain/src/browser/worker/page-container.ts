/** Programs of a page in the containers of a worker: what a function is given there as its container. */

import type {
  Asked,
  ProgramContainer,
  WorkerContainer,
  WorkerImageDefinition,
} from '../../../types/browser.d.ts';
import type { SeenContainer } from './served-clusters.ts';

/** The same definition; its functions are called from the worker. */
export function pageDefinition(definition: WorkerImageDefinition): never {
  return called(definition) as never;
}

function called(part: unknown): unknown {
  if (typeof part === 'function')
    return (...args: unknown[]): unknown =>
      (part as (...args: unknown[]) => unknown)(
        ...args.slice(0, -1),
        containerOf(args.at(-1) as SeenContainer),
      );
  if (typeof part !== 'object' || part === null || Array.isArray(part) || ArrayBuffer.isView(part))
    return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, called(value)]));
}

/** What the functions of one container share stays in the page, as long as the container lives. */
const states = new WeakMap<AbortSignal, Record<string, unknown>>();

function containerOf({ facts, container, life }: SeenContainer): WorkerContainer {
  const state = states.get(life) ?? {};
  states.set(life, state);
  const asked = container as unknown as Asked<ProgramContainer>;
  return {
    ...facts,
    state,
    files: asked.files,
    clock: asked.clock,
    random: () => asked.random(),
    log: (line) => asked.log(line),
    exit: (code) => asked.exit(code),
    fetch: (input, init) => asked.fetch(new Request(input, init)),
    // Whoever asks for it is told to stop, and given time for it.
    stopping: () => asked.signal as unknown as Promise<AbortSignal>,
  };
}
