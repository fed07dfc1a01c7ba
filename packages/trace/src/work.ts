import type { Step, Undertaking } from './recording.ts';

/** The step that does the work: the handler of a request, the `run` of a command, the reconciler of a controller. */
export function workOf({ kind, steps }: Undertaking): Step | undefined {
  if (kind === 'request') return handlerIn(steps);
  return steps.find(({ name }) => kind === 'command' && name === 'run') ?? steps[0];
}

function handlerIn(steps: readonly Step[]): Step | undefined {
  for (const step of steps) {
    const found = step.name.startsWith('handler') ? step : handlerIn(step.steps);
    if (found !== undefined) return found;
  }
}
