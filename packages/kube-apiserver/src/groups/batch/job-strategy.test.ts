import { expect, test } from 'vitest';
import { as, type AnyObject } from '../any-object.ts';
import { jobStrategy } from './job-strategy.ts';
import type { ApiRequest } from '@coxswain/apiserver';
import { applyDefaults, decode } from '@coxswain/schema';
import { Job } from '@coxswain/api/batch/v1/job.ts';
import { defaultJob } from '@coxswain/api/batch/v1/job-defaults.ts';

const added = {
  'job-name': 'a',
  'batch.kubernetes.io/job-name': 'a',
  'controller-uid': 'u',
  'batch.kubernetes.io/controller-uid': 'u',
};

function prepared(metadata: object, templateMetadata: object | undefined): AnyObject {
  const spec = { template: { ...(templateMetadata && { metadata: templateMetadata }), spec: {} } };
  const { object } = decode(
    Job.type,
    JSON.stringify({ metadata: { name: 'a', uid: 'u', ...metadata }, spec }),
  );
  applyDefaults(Job.type, object);
  defaultJob(as<Parameters<typeof defaultJob>[0]>(object));
  jobStrategy.prepareForCreate!(as<AnyObject>(object), as<ApiRequest>(undefined));
  return as<AnyObject>(object);
}

const templateLabels = ({ spec }: AnyObject) =>
  as<{ template: { metadata: { labels: object } } }>(spec).template.metadata.labels;

test('a job without labels shares those that its template gets', () => {
  const job = prepared({}, { labels: { own: 'x' } });

  expect(templateLabels(job)).toEqual({ own: 'x', ...added });
  expect(job.metadata.labels).toEqual({ own: 'x', ...added });
});

test('a job that has labels keeps them', () => {
  const job = prepared({ labels: { mine: 'y' } }, { labels: { own: 'x' } });

  expect(job.metadata.labels).toEqual({ mine: 'y' });
});

test('a template without labels leaves the job without until it is stored', () => {
  const job = prepared({}, undefined);
  expect(job.metadata.labels).toBeUndefined();

  jobStrategy.canonicalize!(job);

  expect(job.metadata.labels).toEqual(added);
});
