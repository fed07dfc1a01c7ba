/** Computes when a pod must be evicted because of taints on devices allocated to its claims. */

import { epochMsOf } from '@coxswain/apimachinery';
import type { ResourceSlice as ResourceSliceShape } from '@coxswain/api/resource/v1/resource-slice.ts';
import type { Device } from '@coxswain/api/resource/v1/device.ts';
import type { DeviceToleration } from '@coxswain/api/resource/v1/device-toleration.ts';
import type { ResourceClaim, ResourceSlice } from '../objects.ts';

type DeviceTaint = NonNullable<Device['taints']>[number];

/** The index of slices by `driver/pool`. */
export const poolIndex = 'pool';
export const slicesByPool = ({ spec }: ResourceSlice): readonly string[] => [
  poolOf(spec.driver, spec.pool.name),
];

const poolOf = (driver: string, pool: string): string => `${driver}/${pool}`;

/** The pools of the devices allocated to the claim. */
export const poolsOfClaim = ({ status }: ResourceClaim): readonly string[] => [
  ...new Set((status?.allocation?.devices?.results ?? []).map(({ driver, pool }) => poolOf(driver, pool))),
];

/**
 * Returns, in milliseconds since the epoch, when the first taint is no longer tolerated; undefined if never.
 * @param slicesOf returns the slices of a pool, including outdated ones
 */
export function evictionTimeMs(
  { status }: ResourceClaim,
  slicesOf: (pool: string) => readonly ResourceSlice[],
): number | undefined {
  const times: number[] = [];
  for (const { driver, pool, device: name, tolerations } of status?.allocation?.devices?.results ?? []) {
    const device = newest(slicesOf(poolOf(driver, pool)))
      .flatMap(({ spec }) => spec.devices ?? [])
      .find((one) => one.name === name);
    for (const taint of device?.taints ?? []) {
      if (taint.effect === 'NoExecute') times.push(untilMs(taint, tolerations ?? []));
    }
  }
  const first = Math.min(...times);
  return first === Infinity ? undefined : first;
}

function newest(slices: readonly ResourceSlice[]): readonly ResourceSlice[] {
  const generationOf = ({ spec }: Pick<ResourceSliceShape, 'spec'>) => Number(spec.pool.generation);
  const last = Math.max(...slices.map(generationOf));
  return slices.filter((slice) => generationOf(slice) === last);
}

function untilMs(taint: DeviceTaint, tolerations: readonly DeviceToleration[]): number {
  const sinceMs = taint.timeAdded ? epochMsOf(taint.timeAdded) : 0;
  const matching = tolerations.filter((toleration) => tolerates(toleration, taint));
  if (matching.length === 0) return sinceMs;
  if (matching.some(({ tolerationSeconds }) => tolerationSeconds == null)) return Infinity;
  const seconds = matching.map(({ tolerationSeconds }) => Math.max(0, Number(tolerationSeconds)));
  return sinceMs + Math.min(...seconds) * 1000;
}

/** Only tolerations of exactly this effect count here. */
const tolerates = ({ effect, key, operator, value }: DeviceToleration, taint: DeviceTaint): boolean =>
  effect === 'NoExecute' &&
  (!key || key === taint.key) &&
  (operator === 'Exists' || (value ?? '') === (taint.value ?? ''));
