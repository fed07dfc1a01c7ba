import { expect, test } from 'vitest';
import type { Job, Pod } from '../objects.ts';
import { takeCensus } from './job-census.ts';
import { judge } from './job-verdict.ts';

const nowMs = Date.parse('2026-01-01T01:00:00Z');

const job = (spec: object, status: object = {}): Job =>
  ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'j', namespace: 'default', uid: 'job' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [] } }, ...spec },
    status,
  }) as unknown as Job;

const pod = (name: string, phase: string, index?: number): Pod =>
  ({
    metadata: {
      name,
      uid: name,
      finalizers: ['batch.kubernetes.io/job-tracking'],
      annotations: index === undefined ? {} : { 'batch.kubernetes.io/job-completion-index': String(index) },
    },
    status: { phase, containerStatuses: [] },
  }) as unknown as Pod;

function look(one: Job, pods: readonly Pod[]) {
  const status = { ...one.status, uncountedTerminatedPods: one.status?.uncountedTerminatedPods ?? {} };
  const census = takeCensus({ job: one, pods, status, released: new Set(), record: undefined });
  return { census, verdict: judge({ job: one, pods, status, census, nowMs }) };
}

test('pods that ended are counted once, whether the status has them already or not', () => {
  const counted = job({}, { succeeded: 1, failed: 2, uncountedTerminatedPods: { succeeded: ['a'] } });
  const pods = [pod('a', 'Succeeded'), pod('b', 'Succeeded'), pod('c', 'Failed'), pod('d', 'Running')];
  expect(look(counted, pods).census).toMatchObject({ succeeded: 3, failed: 3, terminating: 0 });
});

test('one failure more than the limit ends the job', () => {
  const limited = job({ backoffLimit: 1 });
  expect(look(limited, [pod('a', 'Failed')]).verdict.finished).toBeUndefined();
  expect(look(limited, [pod('a', 'Failed'), pod('b', 'Failed')]).verdict.finished).toMatchObject({
    type: 'FailureTarget',
    reason: 'BackoffLimitExceeded',
  });
});

test('a deadline in the future determines when to check again', () => {
  const hurried = (startTime: string) => job({ activeDeadlineSeconds: 60 }, { startTime });
  expect(look(hurried('2026-01-01T00:59:30Z'), []).verdict).toEqual({ againMs: 30_000 });
  expect(look(hurried('2026-01-01T00:59:00Z'), []).verdict.finished).toMatchObject({
    reason: 'DeadlineExceeded',
  });
});

test('each index succeeds once and may fail as often as it is allowed to', () => {
  const indexed = job({ completionMode: 'Indexed', completions: 3, backoffLimitPerIndex: 0 });
  const { census, verdict } = look(indexed, [
    pod('a', 'Succeeded', 0),
    pod('b', 'Succeeded', 0),
    pod('c', 'Failed', 1),
    pod('d', 'Running', 2),
  ]);
  expect(String(census.succeededIndexes)).toBe('0');
  expect(String(census.failedIndexes)).toBe('1');
  expect(verdict.finished).toBeUndefined();
  expect(
    look(indexed, [pod('a', 'Succeeded', 0), pod('c', 'Failed', 1), pod('d', 'Succeeded', 2)]).verdict,
  ).toMatchObject({ finished: { type: 'FailureTarget', reason: 'FailedIndexes' } });
});
