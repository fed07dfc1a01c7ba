/** Determines which pods of a node to evict, which to leave, and which prevent draining. */
import type * as core from '@coxswain/api/core/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';

export type Pod = Live<core.Pod>;

export interface DrainRules {
  readonly force: boolean;
  readonly ignoreDaemonSets: boolean;
  readonly deleteEmptyDirData: boolean;
  /** Pods that have been terminating for longer are skipped; 0 for none. */
  readonly skipDeletedForSeconds: number;
  readonly nowMs: number;
  daemonSetExists(pod: Pod, name: string): Promise<boolean>;
}

export interface DrainPlan {
  readonly pods: readonly Pod[];
  readonly warnings: string;
  readonly problems: readonly string[];
}

type Verdict =
  | { readonly kind: 'go' }
  | { readonly kind: 'stay' }
  | { readonly kind: 'warn'; readonly goes: boolean; readonly text: string }
  | { readonly kind: 'refuse'; readonly text: string };

const go: Verdict = { kind: 'go' };
const stay: Verdict = { kind: 'stay' };

const texts = {
  daemonSet: 'ignoring DaemonSet-managed Pods',
  daemonSetRefused: 'cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore)',
  orphan: 'deleting Pods that declare no controller',
  orphanRefused: 'cannot delete Pods that declare no controller (use --force to override)',
  localData: 'deleting Pods with local storage',
  localDataRefused: 'cannot delete Pods with local storage (use --delete-emptydir-data to override)',
};

export async function podsToEvict(pods: readonly Pod[], rules: DrainRules): Promise<DrainPlan> {
  const going: Pod[] = [];
  const warnings = new Map<string, string[]>();
  const problems = new Map<string, string[]>();
  for (const pod of pods) {
    const name = `${pod.metadata.namespace}/${pod.metadata.name}`;
    const verdicts = [...(await judge(pod, rules))];
    const refused = verdicts.find((verdict) => verdict.kind === 'refuse');
    if (refused?.kind === 'refuse') {
      problems.set(refused.text, [...(problems.get(refused.text) ?? []), name]);
      continue;
    }
    const warned = verdicts.findLast((verdict) => verdict.kind === 'warn');
    if (warned?.kind === 'warn') warnings.set(warned.text, [...(warnings.get(warned.text) ?? []), name]);
    const stays = verdicts.some(
      (verdict) => verdict.kind === 'stay' || (verdict.kind === 'warn' && !verdict.goes),
    );
    if (!stays) going.push(pod);
  }
  const lines = (found: Map<string, string[]>) =>
    [...found].map(([text, names]) => `${text}: ${names.join(', ')}`);
  return { pods: going, warnings: lines(warnings).join('; '), problems: lines(problems) };
}

/** The first verdict that spares the pod ends the evaluation. */
async function judge(pod: Pod, rules: DrainRules): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const judgeOne of [deleted, daemonSet, mirror, localData, orphan]) {
    const verdict = await judgeOne(pod, rules);
    verdicts.push(verdict);
    if (verdict.kind === 'stay' || (verdict.kind === 'warn' && !verdict.goes)) break;
  }
  return verdicts;
}

const isOver = (pod: Pod): boolean => pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
const controllerOf = (pod: Pod) =>
  pod.metadata.ownerReferences?.find(({ controller }) => controller === true);

const deleted = (pod: Pod, { skipDeletedForSeconds, nowMs }: DrainRules): Verdict =>
  isSkipped(pod, skipDeletedForSeconds, nowMs) ? stay : go;

/** Whether the pod should have ended more than `seconds` ago; 0 skips none. */
export function isSkipped({ metadata }: Pod, seconds: number, nowMs: number): boolean {
  const { deletionTimestamp } = metadata;
  if (seconds <= 0 || deletionTimestamp === undefined) return false;
  return Math.trunc((nowMs - Date.parse(deletionTimestamp)) / 1000) > seconds;
}

async function daemonSet(pod: Pod, rules: DrainRules): Promise<Verdict> {
  const owner = controllerOf(pod);
  if (owner?.kind !== 'DaemonSet' || isOver(pod)) return go;
  if (!(await rules.daemonSetExists(pod, owner.name))) {
    return rules.force
      ? { kind: 'warn', goes: true, text: texts.orphan }
      : { kind: 'refuse', text: texts.orphanRefused };
  }
  return rules.ignoreDaemonSets
    ? { kind: 'warn', goes: false, text: texts.daemonSet }
    : { kind: 'refuse', text: texts.daemonSetRefused };
}

/** Static pods can't be deleted through the API. */
const mirror = (pod: Pod): Verdict =>
  'kubernetes.io/config.mirror' in (pod.metadata.annotations ?? {}) ? stay : go;

function localData(pod: Pod, rules: DrainRules): Verdict {
  const hasData = pod.spec?.volumes?.some(({ emptyDir }) => emptyDir !== undefined) ?? false;
  if (!hasData || isOver(pod)) return go;
  return rules.deleteEmptyDirData
    ? { kind: 'warn', goes: true, text: texts.localData }
    : { kind: 'refuse', text: texts.localDataRefused };
}

function orphan(pod: Pod, rules: DrainRules): Verdict {
  if (isOver(pod) || controllerOf(pod) !== undefined) return go;
  return rules.force
    ? { kind: 'warn', goes: true, text: texts.orphan }
    : { kind: 'refuse', text: texts.orphanRefused };
}
