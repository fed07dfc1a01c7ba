/** Controllers whose pods the server refuses, each for another reason. */
import type { JsonObject, Scenario, Step } from '../scenario.ts';
import {
  container,
  create,
  events,
  onNodes,
  scenario,
  selector,
  template,
  view,
  wait,
  type PodParts,
} from './building.ts';

const deployment = (parts: PodParts): Step =>
  create('Deployment', 'web', { spec: { replicas: 2, selector, template: template(parts) } });
const statefulSet = (parts: PodParts): Step =>
  create('StatefulSet', 'web', {
    spec: { replicas: 2, serviceName: 's', selector, template: template(parts) },
  });
const daemonSet = (parts: PodParts): Step =>
  create('DaemonSet', 'web', { spec: { selector, template: template(parts) } });
const job = (parts: PodParts): Step =>
  create('Job', 'web', {
    spec: {
      template: template({
        ...parts,
        spec: { restartPolicy: 'Never', containers: [container()], ...parts.spec },
      }),
    },
  });
const seen = (name: string) =>
  view(name, 'Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'Pod');
const enforced = (level: string): JsonObject => ({ [`pod-security.kubernetes.io/enforce`]: level });
const privileged: PodParts = {
  spec: { containers: [container(undefined, { securityContext: { privileged: true } })], hostNetwork: true },
};
const kinds: readonly [string, (parts: PodParts) => Step][] = [
  ['deployment', deployment],
  ['statefulset', statefulSet],
  ['job', job],
];
const each = (
  what: string,
  parts: PodParts,
  before: readonly Step[] = [],
  more: Partial<Scenario> = {},
): Scenario[] =>
  kinds.map(([kind, make]) => ({
    ...scenario(`${what}-${kind}`, ...before, make(parts), wait(1200), seen('after'), events()),
    ...more,
  }));

export const refusedPodScenarios: readonly Scenario[] = [
  ...each('pod-security', privileged, [], { nsLabels: enforced('baseline') as Record<string, string> }),
  ...each('limit-range', { requests: { cpu: '2' } }, [
    create('LimitRange', 'l', {
      spec: { limits: [{ type: 'Container', max: { cpu: '1' }, min: { memory: '1Mi' } }] },
    }),
    wait(500),
  ]),
  ...each('priority-class-missing', {
    spec: { containers: [container()], priorityClassName: 'none-at-all' },
  }),
  ...each('runtime-class-missing', { spec: { containers: [container()], runtimeClassName: 'none-at-all' } }),
  ...each('policy', {}, [
    create('ValidatingAdmissionPolicy', 'p-$id', {
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
          ],
        },
        validations: [{ expression: "object.metadata.namespace != '$ns'", message: 'not here' }],
      },
    }),
    create('ValidatingAdmissionPolicyBinding', 'p-$id', {
      spec: { policyName: 'p-$id', validationActions: ['Deny'] },
    }),
    wait(2500),
  ]),
  scenario(
    'limit-range-defaults-given',
    create('LimitRange', 'l', {
      spec: {
        limits: [
          { type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '100m', memory: '10Mi' } },
          { type: 'Pod', max: { cpu: '4' } },
        ],
      },
    }),
    wait(500),
    deployment({}),
    seen('after'),
  ),
  {
    ...scenario('pod-security-warns', deployment(privileged), wait(1000), seen('after'), events()),
    nsLabels: {
      'pod-security.kubernetes.io/warn': 'restricted',
      'pod-security.kubernetes.io/audit': 'baseline',
    },
  },
  {
    ...onNodes(
      'pod-security-daemonset',
      [{ name: 'a' }],
      daemonSet(privileged),
      wait(1000),
      seen('after'),
      events(),
    ),
    nsLabels: enforced('restricted') as Record<string, string>,
  },
];
