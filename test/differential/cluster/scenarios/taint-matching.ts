/** Which taints keep pods away, and which only put them off. */
import type { JsonObject, Scenario } from '../scenario.ts';
import { events, onNodes, pod, podReady, remove, wait } from './building.ts';
import { cpus, end, node, patchNode, patchPod, taint, withSpec } from './scheduling-parts.ts';

const tolerating = (name: string, ...tolerations: JsonObject[]) => withSpec(name, { tolerations });
const soft = 'PreferNoSchedule';

export const taintMatchingScenarios: readonly Scenario[] = [
  onNodes(
    'same-key-two-effects',
    [node('a', { taints: [taint('k', 'NoSchedule', 'v'), taint('k', 'NoExecute', 'v')] })],
    tolerating('x', { key: 'k', operator: 'Exists', effect: 'NoSchedule' }),
    end(),
    events(),
  ),
  onNodes(
    'exists-with-key-any-effect',
    [node('a', { taints: [taint('k', 'NoSchedule', 'v'), taint('k', 'NoExecute', 'w')] })],
    tolerating('x', { key: 'k', operator: 'Exists' }),
    end(),
  ),
  onNodes(
    'exists-with-effect-only',
    [node('a', { taints: [taint('k', 'NoSchedule', 'v')] })],
    tolerating('x', { operator: 'Exists', effect: 'NoSchedule' }),
    end(),
  ),
  onNodes(
    'exists-with-other-effect',
    [node('a', { taints: [taint('k', 'NoSchedule', 'v')] })],
    tolerating('x', { operator: 'Exists', effect: 'NoExecute' }),
    end(),
    events(),
  ),
  onNodes(
    'empty-value-equal',
    [node('a', { taints: [taint('k', 'NoSchedule')] })],
    tolerating('x', { key: 'k', operator: 'Equal' }),
    end(),
  ),
  onNodes(
    'no-operator-is-equal',
    [node('a', { taints: [taint('k', 'NoSchedule', 'v')] })],
    tolerating('x', { key: 'k', value: 'v', effect: 'NoSchedule' }),
    end(),
  ),
  onNodes(
    'many-nodes-many-taints',
    [
      node('a', { taints: [taint('k', 'NoSchedule')] }),
      node('b', { taints: [taint('l', 'NoSchedule')] }),
      node('c', { taints: [taint('k', 'NoSchedule', 'v')] }),
      node('d', { taints: [taint('k', 'NoSchedule', 'v')] }),
    ],
    pod('x'),
    end(),
    events(),
  ),
  onNodes(
    'taint-and-too-small',
    [node('a', { taints: [taint('k', 'NoSchedule')] }), cpus('b', '1')],
    pod('x', { requests: { cpu: '2' } }),
    end(),
    events(),
  ),
  onNodes(
    'taint-removed-later',
    [node('a', { taints: [taint('k', 'NoSchedule')] })],
    pod('x'),
    end('waiting'),
    patchNode('a', { spec: { taints: null } }),
    podReady('x'),
    end('after'),
    events(),
  ),
  onNodes(
    'toleration-added-later',
    [node('a', { taints: [taint('k', 'NoSchedule')] })],
    pod('x'),
    end('waiting'),
    patchPod('x', {
      spec: {
        tolerations: [
          { key: 'k', operator: 'Exists' },
          {
            key: 'node.kubernetes.io/not-ready',
            operator: 'Exists',
            effect: 'NoExecute',
            tolerationSeconds: 300,
          },
          {
            key: 'node.kubernetes.io/unreachable',
            operator: 'Exists',
            effect: 'NoExecute',
            tolerationSeconds: 300,
          },
        ],
      },
    }),
    podReady('x'),
    end('after'),
  ),
  onNodes(
    'taint-changes-value',
    [node('a', { taints: [taint('k', 'NoSchedule', 'v')] })],
    tolerating('x', { key: 'k', value: 'w', effect: 'NoSchedule' }),
    end('waiting'),
    patchNode('a', { spec: { taints: [taint('k', 'NoSchedule', 'w')] } }),
    podReady('x'),
    end('after'),
  ),
  onNodes(
    'soft-taint-tolerated',
    [node('a', { taints: [taint('k', soft)] }), node('b', { taints: [taint('l', soft)] })],
    tolerating('x', { key: 'k', operator: 'Exists', effect: soft }),
    end(),
  ),
  onNodes(
    'soft-taint-tolerated-by-other-effect',
    [node('a', { taints: [taint('k', soft)] }), node('b', { taints: [taint('k', soft), taint('l', soft)] })],
    tolerating('x', { key: 'k', operator: 'Exists', effect: 'NoSchedule' }),
    end(),
  ),
  onNodes('soft-against-free', [node('a', { taints: [taint('k', soft)] }), node('b')], pod('x'), end()),
  onNodes(
    'soft-against-full',
    [node('a', { taints: [taint('k', soft)] }), cpus('b', '1')],
    pod('x', { requests: { cpu: '2' } }),
    end(),
  ),
  onNodes(
    'control-plane-taint',
    [node('a', { taints: [taint('node-role.kubernetes.io/control-plane', 'NoSchedule')] })],
    pod('x'),
    end(),
    events(),
  ),
  onNodes(
    'unschedulable-and-taint',
    [node('a', { spec: { unschedulable: true } }), node('b', { taints: [taint('k', 'NoSchedule')] })],
    pod('x'),
    end(),
    events(),
  ),
  onNodes(
    'no-execute-added-without-toleration',
    [node('a'), node('b', { spec: { unschedulable: true } })],
    pod('x'),
    podReady('x'),
    patchNode('a', { spec: { taints: [taint('k', 'NoExecute')] } }),
    wait(3000),
    end(),
    events(),
  ),
  onNodes(
    'no-execute-tolerated-for-ever',
    [node('a')],
    tolerating('x', { key: 'k', operator: 'Exists', effect: 'NoExecute' }),
    podReady('x'),
    patchNode('a', { spec: { taints: [taint('k', 'NoExecute')] } }),
    wait(2500),
    end(),
    events(),
  ),
  onNodes(
    'node-gone-taint-told',
    [node('a', { taints: [taint('k', 'NoSchedule')] })],
    pod('x'),
    end('tainted'),
    { removeNode: 'a' },
    wait(1000),
    remove('Pod', 'x'),
    end('after'),
  ),
];
