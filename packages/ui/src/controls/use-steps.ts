import { useEffect } from 'preact/hooks';
import { isTaken } from './is-taken.ts';

/** Calls `go` with the step assigned to a key, unless the key belongs to something else. */
export function useSteps(steps: Readonly<Record<string, number>>, go: (step: number) => void): void {
  useEffect(() => {
    const take = (event: KeyboardEvent): void => {
      const step = steps[event.key];
      if (step === undefined || isTaken(event)) return;
      if ((event.target as Element).closest('.code-view, dialog') !== null) return;
      event.preventDefault();
      go(step);
    };
    addEventListener('keydown', take);
    return () => removeEventListener('keydown', take);
  });
}
