import { expect, test } from 'vitest';
import type { CustomResourceDefinition } from '@coxswain/api/apiextensions/v1/index.ts';
import { conditionOf, namedStatus } from './definition-status.ts';

const now = '2026-01-01T00:00:00Z';

test.each([
  ['https://example.com/pull/1', 'True', 'ApprovedAnnotation', 'approved in https://example.com/pull/1'],
  ['unapproved, a try', 'False', 'UnapprovedAnnotation', 'not approved: "unapproved, a try"'],
])('a definition of a group of Kubernetes marked %j tells so', (mark, status, reason, message) => {
  const definition = {
    metadata: { name: 'gadgets.x.k8s.io', annotations: { 'api-approved.kubernetes.io': mark } },
    spec: { group: 'x.k8s.io', names: { plural: 'gadgets', kind: 'Gadget' } },
  } as unknown as CustomResourceDefinition;

  const reported = { ...definition, status: namedStatus(definition, () => [], now) };

  expect(conditionOf(reported as CustomResourceDefinition, 'KubernetesAPIApprovalPolicyConformant')).toEqual({
    type: 'KubernetesAPIApprovalPolicyConformant',
    status,
    reason,
    message,
    lastTransitionTime: now,
  });
});
