import { expect, test } from 'vitest';
import type { PodTemplateSpec } from '../objects.ts';
import { revisionData, revisionHash } from './revisions.ts';

const template = {
  metadata: { labels: { b: '2', a: '1' } },
  spec: { dnsPolicy: 'ClusterFirst', containers: [{ name: 'c', image: 'nginx' }] },
} as unknown as PodTemplateSpec;

test('the contents of a revision are sorted by name, for clients that compare bytes', () => {
  expect(JSON.stringify(revisionData(template))).toBe(
    '{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"a":"1","b":"2"}},' +
      '"spec":{"containers":[{"image":"nginx","name":"c"}],"dnsPolicy":"ClusterFirst"}}}}',
  );
});

test('the hash does not depend on the order in which a template was written', () => {
  const { spec, metadata } = template;
  const other = { spec, metadata } as PodTemplateSpec;
  expect(revisionHash(revisionData(other), 0)).toBe(revisionHash(revisionData(template), 0));
  expect(revisionHash(revisionData(other), 1)).not.toBe(revisionHash(revisionData(template), 0));
});
