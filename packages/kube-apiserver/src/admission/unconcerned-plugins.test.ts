/** The most frequent writes, lease renewals and pod statuses, pass the default plugins without waiting. */
import { ManualClock } from '@coxswain/apimachinery';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { admissionChain, type AdmissionAttributes } from '@coxswain/apiserver';
import { featureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { expect, test } from 'vitest';
import { admissionPlugins, type PluginParts } from './plugins.ts';

const objects = {
  list: () => [],
  get: () => ({ metadata: { name: 'default' }, status: { phase: 'Active' } }),
};

/** The parts that the default plugins need for these writes. */
const parts = {
  objects,
  clock: new ManualClock(0),
  metrics: new Metrics(),
  features: featureGates([]),
  configurations: new Map(),
} as unknown as PluginParts;

const update = (group: string, resource: string, subresource: string): AdmissionAttributes => {
  const object = { apiVersion: 'v1', kind: 'Any', metadata: { name: 'one', namespace: 'default' }, spec: {} };
  return {
    operation: 'UPDATE',
    kind: { group, version: 'v1', kind: 'Any' },
    resource: { group, version: 'v1', resource },
    subresource,
    namespace: 'default',
    name: 'one',
    object,
    oldObject: structuredClone(object),
    owner: '',
    deadlineMs: Infinity,
    operationOptions: () => null,
    signal: () => new AbortController().signal,
    dryRun: false,
    user: { name: 'alice', groups: [] },
    warn: () => undefined,
    annotate: () => undefined,
  };
};

test.each([
  ['coordination.k8s.io', 'leases', ''],
  ['', 'pods', 'status'],
])('an update of %s/%s %s waits for no plugin', (group, resource, subresource) => {
  const chain = admissionChain(admissionPlugins([], [], parts));
  const attributes = update(group, resource, subresource);

  expect(chain.mutate(attributes)).toBeUndefined();
  expect(chain.validate(attributes)).toBeUndefined();
});
