import { selectorOfCached } from '@coxswain/apimachinery';
import type { PodDisruptionBudget } from '@coxswain/api/policy/v1/pod-disruption-budget.ts';
import type { PodInfo } from '../../cache/pod-info.ts';
import type { NodeVictims, Victims } from '../../cache/victims.ts';
import type { NodeSimulation } from '../../framework/plugin.ts';
import { isRejection, type Rejection } from '../../status.ts';

/**
 * Selects the fewest pods of lower priority to evict from the node: all of them are removed, then added back one by
 * one, those protected by a budget and those of high priority first, as long as the pod still fits.
 */
export function selectVictims(
  pod: PodInfo,
  simulation: NodeSimulation,
  budgets: readonly PodDisruptionBudget[],
): Victims | Rejection | 'nobody' {
  const lower = [...simulation.node.pods.values()].filter((other) => other.priority < pod.priority);
  if (lower.length === 0) return 'nobody';
  for (const other of lower) simulation.removePod(other);
  const status = simulation.status();
  if (isRejection(status)) return status;
  const { protectedPods, others } = splitByBudgets(lower.sort(byImportance), budgets);
  const victims: PodInfo[] = [];
  let budgetViolations = 0;
  for (const other of [...protectedPods, ...others]) {
    simulation.addPod(other);
    if (!isRejection(simulation.status())) continue;
    simulation.removePod(other);
    victims.push(other);
    if (protectedPods.includes(other)) budgetViolations++;
  }
  victims.sort(byImportance);
  return withCosts({ victims, budgetViolations });
}

export const withCosts = (victims: NodeVictims): Victims => ({ ...victims, costs: costsOf(victims) });

function costsOf({ victims, budgetViolations }: NodeVictims): readonly number[] {
  const highest = victims[0]?.priority ?? 0;
  const mostImportant = victims.filter(({ priority }) => priority === highest);
  return [
    budgetViolations,
    highest,
    // Offset, so that more victims with negative priority don't look better than fewer.
    victims.reduce((sum, { priority }) => sum + priority + 2 ** 31, 0),
    victims.length,
    // The victims of the highest priority should have started most recently.
    -Math.min(...mostImportant.map(startMsOf)),
  ];
}

/** Higher priority first, then the earlier start. */
const byImportance = (a: PodInfo, b: PodInfo): number =>
  b.priority - a.priority || startMsOf(a) - startMsOf(b);

/** A pod without a start time counts as starting now. */
export function startMsOf({ pod }: PodInfo): number {
  const text = pod.status?.startTime;
  return text ? Date.parse(text) : Number.MAX_SAFE_INTEGER;
}

function splitByBudgets(
  pods: readonly PodInfo[],
  budgets: readonly PodDisruptionBudget[],
): { protectedPods: PodInfo[]; others: PodInfo[] } {
  const allowed = budgets.map(({ status }) => status?.disruptionsAllowed ?? 0);
  const selectors = budgets.map(({ spec }) => selectorOfCached(spec?.selector));
  const protectedPods: PodInfo[] = [];
  const others: PodInfo[] = [];
  for (const pod of pods) {
    let isProtected = false;
    budgets.forEach((budget, index) => {
      const selector = selectors[index]!;
      if (
        budget.metadata?.namespace !== pod.namespace ||
        selector.everything ||
        !selector.matches(pod.labels)
      )
        return;
      // Its disruption is already counted.
      if (budget.status?.disruptedPods?.[pod.name] !== undefined) return;
      allowed[index]!--;
      if (allowed[index]! < 0) isProtected = true;
    });
    (isProtected ? protectedPods : others).push(pod);
  }
  return { protectedPods, others };
}
