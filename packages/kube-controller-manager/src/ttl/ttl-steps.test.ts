import { expect, test } from 'vitest';
import { TtlSteps } from './ttl-steps.ts';

test('kubelets of larger clusters may know older things, and a cluster that shrinks a little changes nothing', () => {
  const steps = new TtlSteps();
  const grow = (by: number) => Array.from({ length: by }, () => steps.nodeAdded());
  const shrink = (by: number) => Array.from({ length: by }, () => steps.nodeRemoved());

  grow(100);
  expect(steps.seconds).toBe(0);
  grow(1);
  expect(steps.seconds).toBe(15);
  shrink(11);
  expect(steps.seconds).toBe(15);
  shrink(1);
  expect(steps.seconds).toBe(0);
});
