import type * as apps from '@coxswain/api/apps/v1/index.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { noRollout } from '../../rollout/no-visitor.ts';
import { runStep, type KubeObject, type Live } from '@coxswain/apimachinery';
import { int64 } from '@coxswain/cobra';
import { lastApplied, lastAppliedAnnotation } from '../../apply/last-applied.ts';
import { command } from '../../command.ts';
import { typesAndNames } from '../../completion/resources.ts';
import type { CommandContext } from '../../context.ts';
import type { PodTemplate } from '../../describers/pod-spec.ts';
import { readDryRun, type DryRun } from '../../flags/dry-run.ts';
import { printFlags } from '../../flags/print.ts';
import { dryRunFlag } from '../../flags/object-flags.ts';
import { toJson } from '../../encoding/json.ts';
import { ResourceHelper, type PatchType } from '../../resource/resource-helper.ts';
import { mappingOf, objectOf, type Info } from '../../resource/info.ts';
import { revisionAnnotation, sameTemplate, withoutHash } from '../../replica-sets.ts';
import { revisionNotFound, revisionsOf, templateText, type Revision } from '../../rollout/revisions.ts';
import { requireResources, selectWorkloads, workloadFlags } from './workloads.ts';

export const undo = command({
  use: 'undo (TYPE NAME | TYPE/NAME) [flags]',
  long: 'Roll back to the previous revision, or to a given one.',
  example: `  # The one before
  kubectl rollout undo deployment/web

  # A certain one
  kubectl rollout undo daemonset/agent --to-revision=3`,
  complete: typesAndNames({ types: ['deployment', 'daemonset', 'statefulset'] }),
  flags: {
    ...printFlags,
    ...dryRunFlag,
    ...workloadFlags('that name the workloads'),
    toRevision: int64({ usage: 'The revision to roll back to. 0 means the previous revision.' }),
  },
  async run({ context, args, flags }) {
    requireResources(args, flags);
    const dryRun = readDryRun(context, flags.dryRun);
    const selected = await selectWorkloads(context, args, flags);
    await selected.each(async (info) => {
      const operation = await goBack(context, info, flags.toRevision, dryRun);
      context.print((await context.printer(flags, { operation, dryRun }))(objectOf(info)));
    });
  },
});

/** Rolls back and reports the result. */
async function goBack(context: CommandContext, info: Info, to: number, dryRun: DryRun): Promise<string> {
  const workload = objectOf(info) as Workload;
  if (lastApplied(workload) !== undefined) warnOfApply(context, info);
  if (!['Deployment', 'DaemonSet', 'StatefulSet'].includes(workload.kind ?? '')) {
    throw noRollout(workload, { retrieving: 'rollbacker', implemented: 'rollbacker' });
  }
  const isDeployment = workload.kind === 'Deployment';
  const revisions = await revisionsOf(context, workload);
  const { observer } = context.io;
  const chooseOne = () => {
    const chosen = chooseRevision(workload, revisions, to);
    observer?.note?.({ chosen: chosen.number, known: revisions.map(({ number }) => number) });
    return chosen;
  };
  const target = runStep(observer, 'choose-revision', chooseOne, undefined, chooseRevision);
  if (dryRun === 'client') return templateText(target.template);
  if (isDeployment && workload.spec?.paused) {
    throw new Error(
      "you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume' and try again",
    );
  }
  const isThere = isDeployment
    ? sameTemplate(target.template, workload.spec?.template)
    : isWrittenAlike(target.data, workload.spec?.template);
  if (isThere) {
    return `skipped rollback (current template already matches revision ${to})`;
  }
  const [type, patch]: [PatchType, unknown] = isDeployment
    ? ['json', deploymentPatch(workload, target)]
    : ['strategic', target.data];
  const helper = new ResourceHelper(await context.client(), mappingOf(info));
  try {
    await helper.patch(info.namespace, info.name, type, patch, { dryRun: dryRun === 'server' });
  } catch (failure) {
    throw new Error(`failed restoring revision ${to}: ${messageOf(failure)}`, { cause: failure });
  }
  return 'rolled back';
}

function warnOfApply(context: CommandContext, info: Info): void {
  context.printError(
    `Warning: resource ${mappingOf(info).resource}/${info.name} was previously managed with 'kubectl apply'. Rolling back will not update the ${lastAppliedAnnotation} annotation, which may cause unexpected behavior on future 'kubectl apply' operations. Consider using 'kubectl apply' with your previous configuration file instead.\n`,
  );
}

/** Compares the serialized form, as controllers do: a different order of fields is a different revision. */
const isWrittenAlike = (data: unknown, template: PodTemplate | undefined): boolean =>
  toJson(data, 'declared') === toJson({ spec: { template: { ...template, $patch: 'replace' } } });

/** Any kind with rollouts: the fields used are those of a Deployment. */
type Workload = Live<apps.Deployment>;

function chooseRevision(
  { kind, metadata }: KubeObject,
  revisions: readonly Revision[],
  to: number,
): Revision {
  if (to < 0) throw revisionNotFound(to);
  if (to === 0) {
    const previous = revisions.at(-2);
    if (previous !== undefined) return previous;
    throw new Error(
      kind === 'Deployment'
        ? `no rollout history found for deployment "${metadata.name}"`
        : 'no last revision to roll back to',
    );
  }
  const found = revisions.find(({ number }) => number === to);
  if (found === undefined) throw revisionNotFound(to);
  return found;
}

/** Annotations that belong to the deployment and are kept in a rollback. */
const keptAnnotations: readonly string[] = [
  lastAppliedAnnotation,
  revisionAnnotation,
  'deployment.kubernetes.io/revision-history',
  'deployment.kubernetes.io/desired-replicas',
  'deployment.kubernetes.io/max-replicas',
  'deprecated.deployment.rollback.to',
];

function deploymentPatch({ metadata }: Workload, { template, annotations }: Revision) {
  const kept = Object.entries(metadata.annotations ?? {}).filter(([key]) => keptAnnotations.includes(key));
  const restored = Object.entries(annotations).filter(([key]) => !keptAnnotations.includes(key));
  return [
    { op: 'replace', path: '/spec/template', value: withoutHash(template ?? {}) },
    { op: 'replace', path: '/metadata/annotations', value: Object.fromEntries([...kept, ...restored]) },
  ];
}
