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

test("steps that return an inner step's promise end with it, from the inside out; callers get the promise itself", async () => {
  const over: string[] = [];
  const observer: StepObserver = {
    begin: (step) => ({ over: (failure) => void over.push(`${step} ${failure}`) }),
  };
  const { promise, reject } = Promise.withResolvers<never>();
  const passed = runStep(observer, 'outer', () => runStep(observer, 'inner', () => promise));
  expect(passed).toBe(promise);
  reject('why');
  await expect(passed).rejects.toBe('why');
  expect(over).toEqual(['inner why', 'outer why']);
  // A promise that has settled reports its end once more.
  await runStep(observer, 'later', () => promise).catch(() => undefined);
  expect(over).toEqual(['inner why', 'outer why', 'later why']);
});
