import { expect, test } from 'vitest';
import { FairQueue, type WaitingJob } from './fair-queue.ts';

test('urgent jobs come first, then one of each user in turn', () => {
  const jobs = new FairQueue();
  const names = new Map<WaitingJob, string>();
  const push = (name: string, user: string, isUrgent = false): void => {
    const job = { bytesHeld: 0 } as WaitingJob;
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

test('memory is taken back from the user whose jobs hold the most, latest first', () => {
  const jobs = new FairQueue();
  const job = (bytesHeld: number) => ({ bytesHeld }) as WaitingJob;
  const [urgent, small, early, late] = [job(1000), job(30), job(20), job(20)];
  jobs.push(urgent, 'system:node:one', true);
  jobs.push(small, 'modest', false);
  jobs.push(early, 'heavy', false);
  jobs.push(late, 'heavy', false);

  expect(jobs.bytesHeld).toBe(1070);
  expect(jobs.dropOfLargest()).toBe(late);
  expect(jobs.dropOfLargest()).toBe(small);
  expect(jobs.dropOfLargest()).toBe(early);
  expect(jobs.dropOfLargest()).toBeUndefined();
  expect([jobs.bytesHeld, jobs.shift(), jobs.bytesHeld]).toEqual([1000, urgent, 0]);
});
