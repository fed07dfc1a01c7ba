import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { localFinding, statusWith } from '../aggregator/availability.ts';
import { localApiService } from './local-api-services.ts';
import type { BootstrapBody, BootstrapObject } from '../bootstrap-object.ts';
import { danglingCondition } from '../flow-control/dangling-condition.ts';
import { flowControlObjects } from './flow-control.ts';
import { priorityClassObjects } from '../groups/scheduling/priority-classes.ts';
import { rbacObjects } from './rbac/objects.ts';
import { featureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { serviceCidrObject, serviceCidrReady } from './service-cidr.ts';

interface Recorded {
  readonly resource: string;
  readonly object: BootstrapBody & { readonly status?: { readonly conditions?: readonly unknown[] } };
}

const recordedFile = new URL('../../test/recorded/bootstrap-objects.json.gz', import.meta.url);
const recorded = (JSON.parse(gunzipSync(readFileSync(recordedFile)).toString()) as { apiserver: Recorded[] })
  .apiserver;

/** The fields that the server sets itself. */
const filledIn = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'generation', 'managedFields']);

function recordedOf(resource: string): Record<string, unknown> {
  return byName(recorded.filter((entry) => entry.resource === resource).map((entry) => bare(entry.object)));
}

function bare(body: BootstrapBody): BootstrapBody {
  const { status: _, ...object } = body;
  const metadata = Object.entries(object.metadata).filter(([key]) => !filledIn.has(key));
  return { ...object, metadata: Object.fromEntries(metadata) } as unknown as BootstrapBody;
}

const byName = (bodies: readonly BootstrapBody[]) =>
  Object.fromEntries(bodies.map((body) => [`${body.metadata.namespace ?? ''}/${body.metadata.name}`, body]));

const ownOf = (objects: readonly BootstrapObject[], resource: string) =>
  byName(objects.filter((object) => object.resource === resource).map(({ object }) => object));

test.each(['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'])(
  'the bootstrap policy has the %s of a fresh original server',
  (resource) => {
    expect(ownOf(rbacObjects(featureGates([])), resource)).toEqual(
      recordedOf(`rbac.authorization.k8s.io/v1/${resource}`),
    );
  },
);

test.each(['flowschemas', 'prioritylevelconfigurations'])(
  'the %s are those of a fresh original server',
  (resource) => {
    expect(ownOf(flowControlObjects(), resource)).toEqual(
      recordedOf(`flowcontrol.apiserver.k8s.io/v1/${resource}`),
    );
  },
);

test('the system priority classes are those of a fresh original server', () => {
  expect(ownOf(priorityClassObjects(), 'priorityclasses')).toEqual(
    recordedOf('scheduling.k8s.io/v1/priorityclasses'),
  );
});

test('local group versions have the priorities of the original', () => {
  const services = recordedOf('apiregistration.k8s.io/v1/apiservices');
  const own = Object.keys(services).map((key) => {
    const [, version, group] = /^\/(v\w+)\.(.*)$/.exec(key)!;
    return localApiService(group!, version!).object;
  });
  expect(byName(own)).toEqual(services);
});

test('the service range is written as the original writes it', () => {
  expect({ '/kubernetes': serviceCidrObject(['10.0.0.0/24']).object }).toEqual(
    recordedOf('networking.k8s.io/v1/servicecidrs'),
  );
});

test('conditions of the server’s own controllers read as the original’s', () => {
  const conditionOf = (resource: string, name: string) =>
    recorded.find((entry) => entry.resource === resource && entry.object.metadata.name === name)?.object
      .status?.conditions?.[0];
  expect(danglingCondition('workload-low', true, '<time>')).toEqual(
    conditionOf('flowcontrol.apiserver.k8s.io/v1/flowschemas', 'service-accounts'),
  );
  expect(statusWith(undefined, localFinding, '<time>').conditions?.[0]).toEqual(
    conditionOf('apiregistration.k8s.io/v1/apiservices', 'v1.apps'),
  );
  // The condition is applied without a reason and returned with an empty one.
  expect({ ...serviceCidrReady('<time>'), reason: '' }).toEqual(
    conditionOf('networking.k8s.io/v1/servicecidrs', 'kubernetes'),
  );
});
