/** The revisions of a workload: replica sets of a deployment, controller revisions of others. */
import type * as apps from '@coxswain/api/apps/v1/index.ts';
import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { CommandContext } from '../context.ts';
import { DescriptionText } from '../describers/text.ts';
import { describePodTemplate, type PodTemplate } from '../describers/pod-spec.ts';
import { selectorText } from '../describers/selector.ts';
import { noRollout } from './no-visitor.ts';
import { changeCauseAnnotation, revisionOf } from '../replica-sets.ts';

export interface Revision {
  readonly number: number;
  readonly changeCause: string;
  readonly template: PodTemplate | undefined;
  /** The object printed with `-o`. */
  readonly object: KubeObject;
  /** For workloads that store patches: restores this revision. */
  readonly data?: unknown;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Any kind with rollouts: the fields used are those of a Deployment. */
type Workload = Live<apps.Deployment>;

type ControllerRevision = Live<apps.ControllerRevision> & {
  readonly data?: { readonly spec?: { readonly template?: PodTemplate } };
};

export const revisionNotFound = (revision: number): Error =>
  new Error(`unable to find specified revision ${revision} in history`);

/** Sorted, oldest first. @throws Error for kinds without a history */
export async function revisionsOf(context: CommandContext, workload: KubeObject): Promise<Revision[]> {
  const list = revisionLists[workload.kind ?? ''];
  if (list === undefined) {
    throw noRollout(workload, { retrieving: 'history', implemented: 'history viewer' });
  }
  return (await list(context, workload)).sort((a, b) => a.number - b.number);
}

const revisionLists: Readonly<
  Record<string, (context: CommandContext, workload: Workload) => Promise<Revision[]>>
> = {
  Deployment: async (context, deployment) =>
    (await owned<Workload>(context, deployment, 'replicasets'))
      .filter((set) => revisionOf(set) > 0)
      .map((set) => ({
        ...describeRevision(set, revisionOf(set)),
        template: set.spec?.template,
        object: { apiVersion: 'apps/v1', kind: 'ReplicaSet', ...set },
      })),
  DaemonSet: controllerRevisions,
  StatefulSet: controllerRevisions,
};

async function controllerRevisions(context: CommandContext, workload: Workload): Promise<Revision[]> {
  return (await owned<ControllerRevision>(context, workload, 'controllerrevisions')).map((one) => {
    const { $patch: _patch, ...template } = {
      ...(one.data?.spec?.template as PodTemplate & { $patch?: string }),
    };
    return {
      ...describeRevision(one, one.revision ?? 0),
      template,
      object: { ...workload, spec: { ...workload.spec, template } },
      data: one.data,
    };
  });
}

const describeRevision = ({ metadata }: KubeObject, number: number) => ({
  number,
  changeCause: metadata.annotations?.[changeCauseAnnotation] ?? '',
  annotations: metadata.annotations ?? {},
});

async function owned<T extends KubeObject>(
  context: CommandContext,
  workload: Workload,
  resource: string,
): Promise<T[]> {
  const { namespace = '', uid } = workload.metadata;
  const list = await (
    await context.client()
  ).request<{ items?: T[] }>({
    method: 'GET',
    path: `/apis/apps/v1/namespaces/${namespace}/${resource}`,
    query: { labelSelector: selectorText(workload.spec?.selector) },
  });
  return (list.items ?? []).filter(({ metadata }) =>
    metadata.ownerReferences?.some((owner) => owner.controller && owner.uid === uid),
  );
}

/** Formats the template as `describe` does, without aligning tabs. */
export function templateText(template: PodTemplate | undefined): string {
  const text = new DescriptionText({ aligned: false });
  describePodTemplate(text, template);
  return text.toString();
}
