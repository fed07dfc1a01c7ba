import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';
import type { WaitingJob } from './worker-thread.ts';

test('urgent jobs come first, then one of each user in turn', () => {
  const jobs = new FairQueue();
  const names = new Map<WaitingJob, string>();
  const push = (name: string, user: string, isUrgent = false): void => {
    const job = { resolve: () => undefined, reject: () => undefined } as unknown as WaitingJob;
    names.set(job, name);
    jobs.push(job, user, isUrgent);
  };
  for (const name of ['a1', 'a2', 'a3']) push(name, 'a');
  push('b1', 'b');
  push('node', 'system:node:one', true);

  const order: (string | undefined)[] = [];
  while (!jobs.isEmpty) order.push(names.get(jobs.shift()!));

  expect(order).toEqual(['node', 'a1', 'b1', 'a2', 'a3']);
  expect(jobs.shift()).toBeUndefined();
});
