import type { Taint, Toleration } from '../taint.ts';

export const tolerates = (tolerations: readonly Toleration[] | undefined, taint: Taint): boolean =>
  tolerations?.some((toleration) => isTolerationFor(toleration, taint)) ?? false;

/** The first taint that repels a pod with these tolerations, if any. */
export const untoleratedTaint = (
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
): Taint | undefined => taints?.find((taint) => keepsOff(taint) && !tolerates(tolerations, taint));

/** All taints that repel a pod with these tolerations. */
export const untoleratedTaints = (
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
): readonly Taint[] => (taints ?? []).filter((taint) => keepsOff(taint) && !tolerates(tolerations, taint));

const keepsOff = (taint: Taint): boolean => taint.effect === 'NoSchedule' || taint.effect === 'NoExecute';

function isTolerationFor({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (
    (operator === undefined || (operator as string) === '' || operator === 'Equal') &&
    (value ?? '') === (taint.value ?? '')
  );
}
