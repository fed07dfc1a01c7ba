import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { controllerOf, describeAnnotations, describeLabels } from './metadata.ts';
import { describePodTemplate } from './pod-spec.ts';
import { formatLabels, selectorText } from './selector.ts';
import { DescriptionText, orNone } from './text.ts';
import { countPods, describeConditions, describeCounts, type Workload } from './workload.ts';

/** For replica sets and for replication controllers, whose selector is a plain map. */
export const describeReplicaSet: Describer = async (object, context) => {
  const set: Workload = object;
  const { metadata, spec = {}, status = {} } = set;
  const isController = object.kind === 'ReplicationController';
  const selector = isController
    ? formatLabels(spec.selector as Record<string, string>)
    : selectorText(spec.selector);
  const counts = await countPods(context, object, selector);
  const events = await context.events(object);
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Namespace', metadata.namespace);
  text.field(0, 'Selector', orNone(selector));
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  if (!isController) text.optional(0, 'Controlled By', controllerOf(object));
  text.field(0, 'Replicas', `${status['replicas'] ?? 0} current / ${spec.replicas ?? 1} desired`);
  describeCounts(text, counts);
  // Only controllers may have none.
  describePodTemplate(text, isController ? spec.template : (spec.template ?? {}));
  describeConditions(text, object);
  describeEvents(text, events, context.nowMs);
  return text.toString();
};
