import { expect, test } from 'vitest';
import type { KubeObject } from '@coxswain/apimachinery';
import { earlierOf, revisionOfControllerRevision, revisionOfReplicaSet } from './template-revisions.ts';

const template = (image: string, labels: Readonly<Record<string, string>> = { app: 'web' }) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'web', image }] },
});

const deployment = {
  metadata: { name: 'web' },
  spec: { replicas: 2, template: template('web:3') },
} as unknown as KubeObject;

const replicaSet = (revision: string, image: string) => ({
  metadata: { name: image, annotations: { 'deployment.kubernetes.io/revision': revision } },
  spec: { replicas: 0, template: template(image, { app: 'web', 'pod-template-hash': revision }) },
});

test('the newest other template is the earlier one, without the label of its hash', () => {
  const sets = [replicaSet('10', 'web:2'), replicaSet('9', 'web:1'), replicaSet('11', 'web:3')];
  expect(earlierOf(deployment, sets.flatMap(revisionOfReplicaSet))).toMatchObject({
    spec: { replicas: 2, template: template('web:2') },
  });
});

test('there is no earlier template before the first roll-out', () => {
  expect(earlierOf(deployment, revisionOfReplicaSet(replicaSet('1', 'web:3')))).toBeUndefined();
});

test('a ControllerRevision holds the template as a patch', () => {
  const revision = (number: number, image: string) => ({
    metadata: { name: image },
    revision: number,
    data: { spec: { template: { ...template(image), $patch: 'replace' } } },
  });
  const revisions = [revision(1, 'web:1'), revision(2, 'web:3')].flatMap(revisionOfControllerRevision);
  expect(earlierOf(deployment, revisions)).toMatchObject({ spec: { template: template('web:1') } });
});
