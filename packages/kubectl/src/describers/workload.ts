/** Common parts of the describers of workloads. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { LabelSelectorSpec } from '@coxswain/apimachinery/label-selector.ts';
import type { DescribeContext } from './describer.ts';
import type { Pod } from './pod.ts';
import type { PodTemplate } from './pod-spec.ts';
import type { DescriptionText } from './text.ts';

export interface Workload extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly selector?: LabelSelectorSpec;
    readonly template?: PodTemplate;
    readonly minReadySeconds?: number;
    readonly strategy?: {
      readonly type?: string;
      readonly rollingUpdate?: {
        readonly maxUnavailable?: string | number;
        readonly maxSurge?: string | number;
      };
    };
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly partition?: number };
    };
    readonly volumeClaimTemplates?: readonly VolumeClaimTemplate[];
  };
  readonly status?: Readonly<Record<string, number>> & { readonly conditions?: never };
}

export interface VolumeClaimTemplate extends KubeObject {
  readonly spec?: {
    readonly storageClassName?: string;
    readonly accessModes?: readonly string[];
    readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
  };
}

export interface PodCounts {
  readonly Running: number;
  readonly Pending: number;
  readonly Succeeded: number;
  readonly Failed: number;
}

/** Counts the pods that the object controls, by phase. */
export async function countPods(
  context: DescribeContext,
  object: KubeObject,
  labelSelector: string,
): Promise<PodCounts> {
  const pods = await context.list<Pod>(`/api/v1/namespaces/${object.metadata.namespace}/pods`, {
    labelSelector,
  });
  const mine = pods.filter(({ metadata }) =>
    metadata.ownerReferences?.some(
      ({ controller, uid }) => controller === true && uid === object.metadata.uid,
    ),
  );
  const count = (phase: string) => mine.filter(({ status }) => status?.phase === phase).length;
  return {
    Running: count('Running'),
    Pending: count('Pending'),
    Succeeded: count('Succeeded'),
    Failed: count('Failed'),
  };
}

export const describeCounts = (
  text: DescriptionText,
  { Running, Pending, Succeeded, Failed }: PodCounts,
): void =>
  text.field(
    0,
    'Pods Status',
    `${Running} Running / ${Pending} Waiting / ${Succeeded} Succeeded / ${Failed} Failed`,
  );

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
}

export function describeConditions(text: DescriptionText, object: KubeObject): void {
  const conditions = (object as { status?: { conditions?: readonly Condition[] } }).status?.conditions ?? [];
  if (conditions.length === 0) return;
  text.line(0, 'Conditions:\n  Type\tStatus\tReason');
  text.line(1, '----\t------\t------');
  for (const { type, status, reason = '' } of conditions) text.line(1, `${type} \t${status}\t${reason}`);
}
