/** Creates a copy of a pod with an additional container, or with some containers changed. */
import type { CommandContext } from '../context.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import type { ResourceMapping } from '../mapping.ts';
import { containerName, environmentOf, profiled, warnOfUser, wordsOf, type DebugPlan } from './debug-plan.ts';
import {
  containersOf,
  withContainer,
  withSpec,
  without,
  type DebugContainer,
  type DebugPod,
} from './debug-pod.ts';
import type { DebugTarget } from './debug-session.ts';

export interface CopyPlan extends DebugPlan {
  readonly copyTo: string;
  /** Whether to delete the original pod. */
  readonly replace: boolean;
  readonly sameNode: boolean;
  /** By container, or `*` for all others. */
  readonly setImage: Readonly<Record<string, string>>;
  /** Undefined leaves it to the pod and the profile. */
  readonly shareProcesses: boolean | undefined;
}

/** Returns the container to attach to; undefined if only images were changed. */
export async function debugCopy(
  context: CommandContext,
  plan: CopyPlan,
  pod: DebugPod,
  mapping: ResourceMapping,
): Promise<DebugTarget | undefined> {
  const { copy, container } = copyOf(context, plan, pod);
  warnOfUser(context, copy, container);
  const { namespace = '', name = '' } = pod.metadata;
  const helper = new ResourceHelper(await context.client(), mapping);
  await helper.create(namespace, copy, { fieldValidation: 'Ignore' });
  if (plan.replace) await helper.delete(namespace, name, { gracePeriodSeconds: 0 });
  return container === '' ? undefined : { namespace, pod: plan.copyTo, container };
}

interface Copy {
  readonly copy: DebugPod;
  readonly container: string;
}

function copyOf(context: CommandContext, plan: CopyPlan, pod: DebugPod): Copy {
  const base = bareCopy(plan, pod);
  const isThere = containersOf(base).some(({ name }) => name === plan.container);
  if (!isThere && plan.image === '') {
    if (Object.keys(plan.setImage).length > 0) return { copy: base, container: '' };
    throw new Error('you must specify image when creating new container');
  }
  const name = isThere ? plan.container : containerName(context, plan, base);
  const added: DebugContainer = { name, resources: {}, terminationMessagePolicy: 'File' };
  const extended = isThere ? base : withSpec(base, { containers: [...base.spec.containers, added] });
  const changed = withContainer(extended, name, (container) => changedContainer(plan, container));
  return { copy: profiled(plan, 'copy', changed, name), container: name };
}

function bareCopy(plan: CopyPlan, pod: DebugPod): DebugPod {
  const { namespace, labels, annotations } = pod.metadata;
  const spec = without(pod.spec, 'ephemeralContainers', ...(plan.sameNode ? [] : (['nodeName'] as const)));
  const containers = spec.containers.map((container) => {
    const image = plan.setImage[container.name] ?? plan.setImage['*'] ?? '';
    return image === '' ? container : { ...container, image };
  });
  const share = plan.shareProcesses === undefined ? {} : { shareProcessNamespace: plan.shareProcesses };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: plan.copyTo,
      ...(namespace && { namespace }),
      ...(labels && { labels }),
      ...(annotations && { annotations }),
    },
    spec: { ...spec, ...share, containers },
  };
}

/** Unspecified settings are kept, except for input and terminal, which are those of this session. */
function changedContainer(plan: CopyPlan, container: DebugContainer): DebugContainer {
  const env = environmentOf(plan);
  const replaced = plan.words.length > 0 && !plan.argumentsOnly ? (['args'] as const) : [];
  return {
    ...without(container, 'stdin', 'tty', ...replaced),
    ...wordsOf(plan),
    ...(env.length > 0 && { env }),
    ...(plan.image !== '' && { image: plan.image }),
    ...(plan.imagePullPolicy !== '' && { imagePullPolicy: plan.imagePullPolicy }),
    ...(plan.stdin && { stdin: true }),
    ...(plan.tty && { tty: true }),
  };
}
