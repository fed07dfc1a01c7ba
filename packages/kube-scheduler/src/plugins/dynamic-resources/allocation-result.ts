import { deepEqual } from '@coxswain/apimachinery';
import type { NodeSelector, NodeSelectorRequirement } from '@coxswain/api/core/v1/node-selector.ts';
import type {
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
} from '@coxswain/api/resource/v1/allocation-result.ts';
import type { DeviceClass } from '@coxswain/api/resource/v1/device-class.ts';
import type { ResourceClaim } from '@coxswain/api/resource/v1/resource-claim.ts';
import type { Amounts } from './device-capacity.ts';
import type { PoolDevice } from './device-pools.ts';
import type { DeviceChoice } from './device-requests.ts';

/** A device that is allocated to a request. */
export interface Grant {
  readonly choice: DeviceChoice;
  readonly device: PoolDevice;
  /** For a device that several requests share. */
  readonly shareId?: string;
  readonly consumed?: Amounts;
}

/** How a request is satisfied. */
export interface Selection {
  readonly choice: DeviceChoice;
  readonly deviceClass: DeviceClass;
}

/** Returns what is written to a claim's status. `selected` has one entry per request. */
export function allocationOf(
  claim: ResourceClaim,
  selected: readonly Selection[],
  grants: readonly Grant[],
  nodeName: string,
): AllocationResult {
  const config = [...classConfiguration(selected), ...claimConfiguration(claim, selected)];
  const nodeSelector = nodeSelectorOf(grants, nodeName);
  return {
    devices: {
      results: grants.map(resultOf),
      ...(config.length === 0 ? {} : { config }),
    },
    ...(nodeSelector === undefined ? {} : { nodeSelector }),
  };
}

function resultOf({ choice, device, shareId, consumed }: Grant): DeviceRequestAllocationResult {
  const [, pool = ''] = device.pool.id.split(/\/(.*)/s);
  const { bindingConditions, bindingFailureConditions } = device.device;
  return {
    request: choice.name,
    driver: device.driver,
    pool,
    device: device.device.name,
    ...(choice.adminAccess ? { adminAccess: true } : {}),
    ...(choice.tolerations.length === 0 ? {} : { tolerations: [...choice.tolerations] }),
    ...(bindingConditions === undefined ? {} : { bindingConditions }),
    ...(bindingFailureConditions === undefined ? {} : { bindingFailureConditions }),
    ...(shareId === undefined ? {} : { shareID: shareId }),
    ...(consumed === undefined || Object.keys(consumed).length === 0 ? {} : { consumedCapacity: consumed }),
  };
}

/** Lists each class once, with all requests that use it. */
function classConfiguration(selected: readonly Selection[]): DeviceAllocationConfiguration[] {
  const byClass = Map.groupBy(selected, ({ deviceClass }) => deviceClass.metadata?.name ?? '');
  return [...byClass.values()].flatMap((of) =>
    (of[0]!.deviceClass.spec.config ?? []).map((config) => ({
      source: 'FromClass' as const,
      requests: of.map(({ choice }) => choice.name),
      ...config,
    })),
  );
}

function claimConfiguration(
  { spec }: ResourceClaim,
  selected: readonly Selection[],
): DeviceAllocationConfiguration[] {
  return (spec.devices.config ?? []).flatMap((config) => {
    const entry = { source: 'FromClaim' as const, ...config };
    const { requests = [] } = config;
    if (requests.length === 0) return [entry];
    return selected
      .filter(({ choice }) => requests.includes(choice.requestName) || requests.includes(choice.name))
      .map(() => entry);
  });
}

/** Selects the nodes that can access all of the devices; undefined for all nodes. */
function nodeSelectorOf(grants: readonly Grant[], nodeName: string): NodeSelector | undefined {
  const matchFields: NodeSelectorRequirement[] = [];
  const matchExpressions: NodeSelectorRequirement[] = [];
  for (const { device } of grants) {
    const { slice } = device;
    const of = slice.spec.perDeviceNodeSelection ? device.device : slice.spec;
    if (of.nodeName || device.device.bindsToNode) {
      const field = { key: 'metadata.name', operator: 'In' as const, values: [nodeName] };
      return { nodeSelectorTerms: [{ matchFields: [field] }] };
    }
    const [term] = of.nodeSelector?.nodeSelectorTerms ?? [];
    addNew(matchFields, term?.matchFields ?? []);
    addNew(matchExpressions, term?.matchExpressions ?? []);
  }
  if (matchFields.length === 0 && matchExpressions.length === 0) return undefined;
  return {
    nodeSelectorTerms: [
      {
        ...(matchExpressions.length === 0 ? {} : { matchExpressions }),
        ...(matchFields.length === 0 ? {} : { matchFields }),
      },
    ],
  };
}

function addNew(to: NodeSelectorRequirement[], from: readonly NodeSelectorRequirement[]): void {
  for (const requirement of from) if (!to.some((one) => deepEqual(one, requirement))) to.push(requirement);
}
