/** Runs functions of a page as programs in the containers of a worker, and provides their container argument. */

import type {
  Asked,
  ProgramContainer,
  WorkerContainer,
  WorkerImageDefinition,
} from '../../../types/browser.d.ts';
import type { SeenContainer } from './served-clusters.ts';
import { withContainer } from './with-container.ts';

/** Returns the same definition with functions that are called from the worker. */
export function pageDefinition(definition: WorkerImageDefinition): never {
  return withContainer(definition, containerOf) as never;
}

/** State shared by the functions of one container stays in the page for as long as the container lives. */
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
    // Requesting this signal announces that the program wants a grace period for stopping.
    stopping: () => asked.signal as unknown as Promise<AbortSignal>,
  };
}
