import type { StorageVersion as StorageVersionShape } from '@coxswain/api/apiserverinternal/v1alpha1/storage-version.ts';
import type { KubeObject } from '@coxswain/apimachinery';

export type StorageVersion = Omit<StorageVersionShape, 'metadata' | 'kind' | 'apiVersion'> & KubeObject;
type Status = NonNullable<StorageVersionShape['status']>;

const conditionType = 'AllEncodingVersionsEqual';

/** Returns the record with these servers, and the version that they agree on. `now` is RFC 3339. */
export function withServers(
  version: StorageVersion,
  servers: NonNullable<Status['storageVersions']>,
  now: string,
): StorageVersion {
  const { commonEncodingVersion: before, ...status } = version.status ?? ({} as Status);
  const [first] = servers;
  const agreed = servers.every(({ encodingVersion }) => encodingVersion === first?.encodingVersion);
  const common = agreed ? first?.encodingVersion : undefined;
  const known = status.conditions?.find(({ type }) => type === conditionType);
  const state = common === undefined ? 'False' : 'True';
  const isOther = known?.status !== state || (before && common !== undefined && before !== common);
  const condition = {
    type: conditionType,
    status: state,
    observedGeneration: version.metadata.generation ?? 0,
    lastTransitionTime: isOther ? now : known.lastTransitionTime,
    reason: common === undefined ? 'CommonEncodingVersionUnset' : 'CommonEncodingVersionSet',
    message: common === undefined ? 'Common encoding version unset' : 'Common encoding version set',
  };
  const others = (status.conditions ?? []).filter(({ type }) => type !== conditionType);
  return {
    ...version,
    status: {
      ...status,
      storageVersions: servers,
      ...(common === undefined ? {} : { commonEncodingVersion: common }),
      conditions: [...others, condition],
    } as Status,
  };
}
