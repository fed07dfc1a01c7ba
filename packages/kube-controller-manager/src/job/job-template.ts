/** Builds the pods of a job. */

import type { Job, Pod } from '../objects.ts';
import { podFromTemplate } from '../pods/pod-control.ts';
import {
  failureCount,
  failureCountAnnotation,
  ignoredFailureCount,
  ignoredFailureCountAnnotation,
  indexAnnotation,
  isIndexed,
  limitsEachIndex,
  trackingFinalizer,
} from './job-pod.ts';
import { judgeFailure } from './policies.ts';

export const jobKind = { apiVersion: 'batch/v1', kind: 'Job' } as const;

const indexVariable = {
  name: 'JOB_COMPLETION_INDEX',
  valueFrom: { fieldRef: { fieldPath: `metadata.labels['${indexAnnotation}']` } },
};

/** Names are truncated to leave room for five random characters. */
const generatedPrefixLengthMax = 58;

/** Returns a function that builds pods; it takes an index for indexed jobs, and the pod that is replaced. */
export function podMaker(job: Job): (index?: number, replaced?: Pod) => Pod {
  const base = tracked(podFromTemplate(job.spec!.template, job, jobKind));
  const spec = isIndexed(job) ? withIndexVariable(base.spec!) : base.spec!;
  return (index, replaced) => {
    if (index === undefined) return { ...base, spec };
    const { name = '', labels } = { name: job.metadata.name, labels: base.metadata.labels };
    return {
      ...base,
      metadata: {
        ...base.metadata,
        generateName: indexedPrefix(name, index),
        labels: { ...labels, [indexAnnotation]: String(index) },
        annotations: {
          ...base.metadata.annotations,
          [indexAnnotation]: String(index),
          ...(limitsEachIndex(job) ? failureAnnotations(job, replaced) : {}),
        },
      },
      spec: { ...spec, hostname: `${name}-${index}` },
    };
  };
}

function tracked(pod: Pod): Pod {
  const finalizers = pod.metadata.finalizers ?? [];
  if (finalizers.includes(trackingFinalizer)) return pod;
  return { ...pod, metadata: { ...pod.metadata, finalizers: [...finalizers, trackingFinalizer] } };
}

type PodSpec = NonNullable<Pod['spec']>;

function withIndexVariable(spec: PodSpec): PodSpec {
  const add = <C extends PodSpec['containers'][number]>(container: C): C =>
    container.env?.some(({ name }) => name === indexVariable.name)
      ? container
      : { ...container, env: [...(container.env ?? []), indexVariable] };
  return {
    ...spec,
    containers: spec.containers.map(add),
    ...(spec.initContainers ? { initContainers: spec.initContainers.map(add) } : {}),
  };
}

function indexedPrefix(jobName: string, index: number): string {
  const suffix = `-${index}-`;
  return jobName.slice(0, generatedPrefixLengthMax - suffix.length) + suffix;
}

function failureAnnotations(job: Job, replaced: Pod | undefined): Record<string, string> {
  if (replaced === undefined) return { [failureCountAnnotation]: '0' };
  const { counts } = judgeFailure(job.spec?.podFailurePolicy, replaced);
  const ignored = ignoredFailureCount(replaced) + (counts ? 0 : 1);
  return {
    [failureCountAnnotation]: String(failureCount(replaced) + (counts ? 1 : 0)),
    ...(ignored > 0 ? { [ignoredFailureCountAnnotation]: String(ignored) } : {}),
  };
}
