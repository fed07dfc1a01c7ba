/** Programs of a page in the containers of a worker: what a function is given there as its container. */

import type {
  Asked,
  ProgramContainer,
  WorkerContainer,
  WorkerImageDefinition,
} from '../../../types/browser.d.ts';
import type { SeenContainer } from './served-clusters.ts';
import { withContainer } from './with-container.ts';

/** The same definition; its functions are called from the worker. */
export function pageDefinition(definition: WorkerImageDefinition): never {
  return withContainer(definition, containerOf) as never;
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
