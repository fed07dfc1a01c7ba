/** Creates a pod on a node, with as much access to the node as the profile grants. */
import { podMapping } from '../mapping.ts';
import type { CommandContext } from '../context.ts';
import { randomSuffix } from '../random-suffix.ts';

import { ResourceHelper } from '../resource/resource-helper.ts';
import { newContainer, profiled, type DebugPlan } from './debug-plan.ts';
import type { DebugPod } from './debug-pod.ts';
import type { DebugTarget } from './debug-session.ts';

const defaultContainer = 'debugger';

export async function debugNode(
  context: CommandContext,
  plan: DebugPlan,
  node: string,
  namespace: string,
): Promise<DebugTarget> {
  const container = plan.container === '' ? defaultContainer : plan.container;
  const name = `node-debugger-${node}-${randomSuffix(context.io.random)}`;
  if (!plan.quiet)
    context.print(`Creating debugging pod ${name} with container ${container} on node ${node}.\n`);
  const pod: DebugPod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { 'app.kubernetes.io/managed-by': 'kubectl-debug' } },
    spec: {
      containers: [newContainer(plan, container)],
      nodeName: node,
      restartPolicy: 'Never',
      tolerations: [{ operator: 'Exists' }],
    },
  };
  const helper = new ResourceHelper(await context.client(), podMapping);
  await helper.create(namespace, profiled(plan, 'node', pod, container), { fieldValidation: 'Ignore' });
  return { namespace, pod: name, container };
}
