import { expect, test } from 'vitest';
import type { Job, Pod } from '../objects.ts';
import { takeCensus } from './job-census.ts';
import type { JobStatus } from './job-conditions.ts';
import { noteEndedPods, withSettled } from './uncounted-pods.ts';

const job = { metadata: { name: 'j' }, spec: { completions: 2, backoffLimit: 6 } } as unknown as Job;

const pod = (uid: string, phase: string): Pod =>
  ({
    metadata: { name: uid, uid, finalizers: ['batch.kubernetes.io/job-tracking'] },
    status: { phase },
  }) as unknown as Pod;

function noted(pods: readonly Pod[], more: object = {}) {
  const status: JobStatus = {};
  const released = new Set<string>();
  const census = takeCensus({ job, pods, status, released, record: undefined });
  return noteEndedPods({ job, pods, census, uncounted: {}, released, finished: undefined, ...more });
}

test('pods that have ended are written down before they are counted', () => {
  const { uncounted, ended, changed } = noted([
    pod('a', 'Succeeded'),
    pod('b', 'Failed'),
    pod('c', 'Running'),
  ]);
  expect(uncounted).toEqual({ succeeded: ['a'], failed: ['b'] });
  expect([ended.length, changed]).toEqual([2, true]);
});

test('recorded pods are not recorded again', () => {
  const { uncounted, changed } = noted([pod('a', 'Succeeded')], { uncounted: { succeeded: ['a'] } });
  expect([uncounted, changed]).toEqual([{ succeeded: ['a'] }, false]);
});

test('of very many pods only some are written down at once', () => {
  const pods = Array.from({ length: 600 }, (_, index) => pod(`p${index}`, 'Succeeded'));
  const { uncounted, full } = noted(pods);
  expect([uncounted.succeeded?.length, full]).toEqual([500, true]);
});

test('of very many indexes, too, only some lose their finalizers at once, the lowest first', () => {
  const indexed = {
    ...job,
    spec: { ...job.spec, completionMode: 'Indexed', completions: 600 },
  } as unknown as Job;
  const pods = Array.from({ length: 600 }, (_, at) => {
    const { metadata, ...rest } = pod(`p${at}`, 'Succeeded');
    const annotations = { 'batch.kubernetes.io/job-completion-index': String(599 - at) };
    return { ...rest, metadata: { ...metadata, annotations } };
  });
  const status: JobStatus = {};
  const released = new Set<string>();
  const census = takeCensus({ job: indexed, pods, status, released, record: undefined });
  const facts = { job: indexed, pods, census, uncounted: {}, released, finished: undefined };
  const { ended, full } = noteEndedPods(facts);
  expect([ended.length, ended[0], full]).toEqual([500, pods[599], true]);
});

test('a pod counts once its finalizer is gone', () => {
  const status: JobStatus = {
    succeeded: 3,
    uncountedTerminatedPods: { succeeded: ['a', 'b'], failed: ['c'] },
  };
  expect(withSettled(status, new Set(['b', 'c']))).toMatchObject({
    succeeded: 4,
    failed: 0,
    uncountedTerminatedPods: { succeeded: ['b'], failed: ['c'] },
  });
  expect(withSettled(status, new Set(['a', 'b', 'c']))).toBeUndefined();
});
