import type { FlowSchemaSpec, Subject } from '@coxswain/api/flowcontrol/v1/flow-schema.ts';
import { parseRequestInfo } from '../request-info.ts';
import { expect, test } from 'vitest';
import { belongsTo } from './flow-matching.ts';

const level = { priorityLevelConfiguration: { name: 'x' }, matchingPrecedence: 1 };
const everything = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] };
const user = { name: 'system:serviceaccount:a:b', groups: ['g'] };

const ofSubject = (subject: Subject): FlowSchemaSpec => ({
  ...level,
  rules: [{ subjects: [subject], resourceRules: [everything] }],
});
const podsOf = (namespace: string) => parseRequestInfo('GET', `/api/v1/namespaces/${namespace}/pods`, '');

test.each<[Subject, boolean]>([
  [{ kind: 'User', user: { name: '*' } }, true],
  [{ kind: 'User', user: { name: 'b' } }, false],
  [{ kind: 'Group', group: { name: 'g' } }, true],
  [{ kind: 'Group', group: { name: 'h' } }, false],
  [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: '*' } }, true],
  [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: 'c' } }, false],
])('%j stands for a service account of a group: %s', (subject, expected) => {
  expect(belongsTo(ofSubject(subject), podsOf('n'), user)).toBe(expected);
});

test('requests without a namespace match cluster-scoped rules only', () => {
  const nodes = parseRequestInfo('GET', '/api/v1/nodes', '');
  const everybody = { kind: 'Group', group: { name: '*' } };
  const wide = { ...everything, clusterScope: true };
  const spec = (rule: typeof everything) => ({
    ...level,
    rules: [{ subjects: [everybody], resourceRules: [rule] }],
  });

  expect(belongsTo(spec(everything), nodes, user)).toBe(false);
  expect(belongsTo(spec(wide), nodes, user)).toBe(true);
});

test('a rule for a path covers the paths below it', () => {
  const spec: FlowSchemaSpec = {
    ...level,
    rules: [
      {
        subjects: [{ kind: 'User', user: { name: '*' } }],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }],
      },
    ],
  };
  const isCovered = (path: string) => belongsTo(spec, parseRequestInfo('GET', path, ''), user);

  expect(['/healthz', '/healthz/ping', '/healthzz'].map(isCovered)).toEqual([true, true, false]);
});
