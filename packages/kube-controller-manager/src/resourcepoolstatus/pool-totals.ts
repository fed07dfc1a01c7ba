import type { PoolStatus } from '@coxswain/api/resource/v1alpha3/pool-status.ts';
import type { ResourceClaim, ResourceSlice } from '../objects.ts';

/** The pools that a request selects. */
export interface PoolChoice {
  readonly driver: string;
  readonly poolName?: string | null | undefined;
}

/** The API's limit for the text that explains why a pool can't be counted. */
const errorLengthMax = 256;

/**
 * Returns the selected pools with their numbers of allocated devices, by driver and name. Slices of an older generation
 * of a pool are ignored; an incomplete pool has an error instead of numbers.
 */
export function poolTotals(
  choice: PoolChoice,
  slices: readonly ResourceSlice[],
  claims: readonly ResourceClaim[],
): PoolStatus[] {
  const taken = devicesTaken(claims);
  const pools = Map.groupBy(
    slices.filter(({ spec }) => spec.driver === choice.driver && isChosen(spec.pool.name, choice)),
    ({ spec }) => spec.pool.name,
  );
  return [...pools]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, all]) => poolStatus(choice.driver, name, all, taken.get(`${choice.driver}/${name}`) ?? 0));
}

const isChosen = (name: string, { poolName }: PoolChoice): boolean => !poolName || name === poolName;

function poolStatus(
  driver: string,
  poolName: string,
  slices: readonly ResourceSlice[],
  allocatedDevices: number,
): PoolStatus {
  const generation = Math.max(...slices.map(({ spec }) => Number(spec.pool.generation)));
  const present = slices.filter(({ spec }) => Number(spec.pool.generation) === generation);
  const [first] = present;
  const nodeName = first?.spec.nodeName ?? '';
  const isOfOneNode = nodeName !== '' && present.every(({ spec }) => spec.nodeName === nodeName);
  const pool = { driver, poolName, generation, ...(isOfOneNode ? { nodeName } : {}) };
  const expected = Number(first?.spec.pool.resourceSliceCount ?? 0);
  if (present.length < expected) {
    const text = `pool ${driver}/${poolName} is incomplete: observed ${present.length}/${expected} slices at generation ${generation}`;
    return { ...pool, validationError: shortened(text) } as PoolStatus;
  }
  const totalDevices = present.reduce((sum, { spec }) => sum + (spec.devices?.length ?? 0), 0);
  return {
    ...pool,
    resourceSliceCount: present.length,
    totalDevices,
    allocatedDevices,
    availableDevices: Math.max(0, totalDevices - allocatedDevices),
    // Nothing reports unavailable devices yet.
    unavailableDevices: 0,
  } as PoolStatus;
}

/** By driver and pool. */
function devicesTaken(claims: readonly ResourceClaim[]): ReadonlyMap<string, number> {
  const taken = new Map<string, number>();
  for (const { status } of claims)
    for (const { driver, pool } of status?.allocation?.devices?.results ?? []) {
      const key = `${driver}/${pool}`;
      taken.set(key, (taken.get(key) ?? 0) + 1);
    }
  return taken;
}

/** Names are ASCII. */
const shortened = (text: string): string => text.slice(0, errorLengthMax);
