/** Adds an ephemeral container to a running pod. */
import { StatusError } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { CommandContext } from '../context.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import type { ResourceMapping } from '../mapping.ts';
import { containerName, newContainer, profiled, warnOfUser, type DebugPlan } from './debug-plan.ts';
import { withSpec, type DebugContainer, type DebugPod } from './debug-pod.ts';
import type { DebugTarget } from './debug-session.ts';

export async function debugInPod(
  context: CommandContext,
  plan: DebugPlan,
  pod: DebugPod,
  mapping: ResourceMapping,
): Promise<DebugTarget> {
  const name = containerName(context, plan, pod);
  const target = plan.target === '' ? {} : { targetContainerName: plan.target };
  const { ephemeralContainers = [] } = pod.spec;
  const bare: DebugContainer = { ...newContainer(plan, name), ...target };
  const extended = withSpec(pod, { ephemeralContainers: [...ephemeralContainers, bare] });
  const changed = profiled(plan, 'ephemeral', extended, name);
  warnOfUser(context, changed, name);
  const { namespace = '', name: podName = '' } = pod.metadata;
  const helper = new ResourceHelper(await context.client(), mapping);
  try {
    await helper.patch(namespace, podName, 'strategic', additionTo(changed), {
      subresource: 'ephemeralcontainers',
      fieldValidation: 'Ignore',
    });
  } catch (failure) {
    throw isMissingSubresource(failure)
      ? new Error(
          `ephemeral containers are disabled for this cluster (error from server: ${JSON.stringify(messageOf(failure))})`,
          { cause: failure },
        )
      : failure;
  }
  return { namespace, pod: podName, container: name };
}

/**
 * Returns a strategic merge patch that adds the last ephemeral container. An existing one with the same name is
 * included, since the profile has changed that one instead: the server refuses it.
 */
function additionTo({ spec }: DebugPod): object {
  const all = spec.ephemeralContainers ?? [];
  const added = all.at(-1)?.name;
  return {
    spec: {
      '$setElementOrder/ephemeralContainers': all.map(({ name }) => ({ name })),
      ephemeralContainers: all.filter(({ name }) => name === added),
    },
  };
}

/** Unlike for a missing pod, the error for a missing subresource names no object. */
const isMissingSubresource = (failure: unknown): boolean =>
  failure instanceof StatusError && failure.reason === 'NotFound' && !failure.status.details?.name;
