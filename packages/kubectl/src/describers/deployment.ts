import { revisionOf, sameTemplate } from '../replica-sets.ts';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { describePodTemplate } from './pod-spec.ts';
import { selectorText } from './selector.ts';
import { DescriptionText, orNone, timeText } from './text.ts';
import { describeConditions, type Workload } from './workload.ts';

export const describeDeployment: Describer = async (object, context) => {
  const deployment: Workload = object;
  const { metadata, spec = {}, status = {} } = deployment;
  const sets = await ownedSets(deployment, context);
  const newest = sets.find((set) => sameTemplate(set.spec?.template, spec.template));
  const events = await context.events(object);
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Namespace', metadata.namespace);
  text.field(0, 'CreationTimestamp', timeText(metadata.creationTimestamp));
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.field(0, 'Selector', selectorText(spec.selector));
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0, unavailableReplicas = 0 } = status;
  text.field(
    0,
    'Replicas',
    `${spec.replicas ?? 1} desired | ${updatedReplicas} updated | ${replicas} total | ${availableReplicas} available | ${unavailableReplicas} unavailable`,
  );
  text.field(0, 'StrategyType', spec.strategy?.type);
  text.field(0, 'MinReadySeconds', spec.minReadySeconds ?? 0);
  const rolling = spec.strategy?.rollingUpdate;
  if (rolling)
    text.field(
      0,
      'RollingUpdateStrategy',
      `${rolling.maxUnavailable ?? '<nil>'} max unavailable, ${rolling.maxSurge ?? '<nil>'} max surge`,
    );
  describePodTemplate(text, spec.template ?? {});
  describeConditions(text, object);
  if (sets.length > 0) {
    text.field(0, 'OldReplicaSets', setsText(sets.filter((set) => set !== newest)));
    text.field(0, 'NewReplicaSet', setsText(newest === undefined ? [] : [newest]));
  }
  describeEvents(text, events, context.nowMs);
  return text.toString();
};

/** By revision, oldest first. */
async function ownedSets(deployment: Workload, context: Parameters<Describer>[1]): Promise<Workload[]> {
  const { metadata, spec = {} } = deployment;
  const all = await context.list<Workload>(`/apis/apps/v1/namespaces/${metadata.namespace}/replicasets`, {
    labelSelector: selectorText(spec.selector),
  });
  return all
    .filter((set) =>
      set.metadata.ownerReferences?.some(
        ({ controller, uid }) => controller === true && uid === metadata.uid,
      ),
    )
    .sort((a, b) => revisionOf(a) - revisionOf(b));
}

const setsText = (sets: readonly Workload[]): string =>
  orNone(
    sets
      .map(
        (set) =>
          `${set.metadata.name} (${set.status?.['replicas'] ?? 0}/${set.spec?.replicas ?? 0} replicas created)`,
      )
      .join(', '),
  );
