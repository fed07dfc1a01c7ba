import { expect, test } from 'vitest';
import { observeAll, runStep, type StepObserver } from './step.ts';

test('a synchronous step stays one, however many watch it', () => {
  const silent: StepObserver = { begin: () => undefined };
  expect(runStep(observeAll([silent, silent]), 'decode', () => 42)).toBe(42);
});

test('of several observers each delays after the other', async () => {
  const seen: string[] = [];
  const delaying = (name: string): StepObserver => ({
    begin: () => undefined,
    async before() {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
    },
  });
  await runStep(observeAll([delaying('first'), delaying('second')]), 'decode', () => seen.push('step'));
  expect(seen).toEqual(['first begins', 'first ends', 'second begins', 'second ends', 'step']);
});
