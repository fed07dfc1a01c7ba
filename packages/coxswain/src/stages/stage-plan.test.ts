import { describe, expect, test } from 'vitest';
import type { KubeObject } from '@coxswain/apimachinery';
import { planStage } from './stage-plan.ts';
import { parseKwok } from './kwok-objects.ts';

describe('the steps of a stage', () => {
  const planned = (spec: string, object: KubeObject = { metadata: { name: 'a', finalizers: ['x', 'y'] } }) =>
    planStage(
      parseKwok(`
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: { name: planned }
spec:
  resourceRef: { kind: ConfigMap }
${spec}`).stages[0]!,
      object,
      { nowMs: () => 0, nodeAddress: () => '', podAddress: () => '' },
    );

  test('come in the order event, finalizers, patches, deletion, however they are written', () => {
    expect(
      planned(`
  next:
    delete: true
    patches: [{ template: 'data: { a: b }' }]
    statusTemplate: 'not: { looked: at }'
    finalizers: { remove: [{ value: x }], add: [{ value: z }] }
    event: { reason: Why }
`),
    ).toEqual([
      { kind: 'event', event: { type: 'Normal', reason: 'Why', message: '' } },
      { kind: 'patch', data: { metadata: { finalizers: ['y', 'z'] } }, type: 'merge', subresource: '' },
      { kind: 'patch', data: { data: { a: 'b' } }, type: 'merge', subresource: '' },
      { kind: 'delete' },
    ]);
  });

  test('are only events after a deletion', () => {
    const steps = `
  steps:
    - delete: true
    - patch: { template: 'a: b' }
    - event: { reason: Gone }
`;
    expect(planned(steps).map(({ kind }) => kind)).toEqual(['delete', 'event']);
  });

  test('patch in the name of another', () => {
    const impersonation = { username: 'somebody' };
    const status = `  next: { statusTemplate: 'phase: Done', statusPatchAs: { username: somebody } }`;
    expect(planned(status)).toMatchObject([{ subresource: 'status', impersonation }]);
    const patch = `  steps: [{ patch: { template: 'a: b', impersonation: { username: somebody } } }]`;
    expect(planned(patch)).toMatchObject([{ subresource: '', impersonation }]);
  });

  test.each([
    ['{{ .metadata.name | upper | quote }}', 'A'],
    ['{{ add 1 (mul 2 3) }}', 7],
    ['{{ ternary "one" "other" (hasPrefix "a" .metadata.name) }}', 'one'],
    ['{{ join "-" .metadata.finalizers }}', 'x-y'],
    ['{{ get (dict "k" "v") "k" }}', 'v'],
    ['{{ .spec.nothing | default "else" }}', 'else'],
    ['{{ div 7 2 }}', 3],
    ['{{ "aGk=" | b64dec }}', 'hi'],
  ])('are written with functions of sprig: %s', (template, made) => {
    expect(planned(`  steps: [{ patch: { template: 'made: ${template}' } }]`)).toMatchObject([
      { data: { made } },
    ]);
  });
});
