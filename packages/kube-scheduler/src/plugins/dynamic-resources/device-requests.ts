import type { DeviceToleration } from '@coxswain/api/resource/v1/device-toleration.ts';
import type { DeviceSelector } from '@coxswain/api/resource/v1/device-selector.ts';
import type {
  DeviceRequest,
  DeviceSubRequest,
  ExactDeviceRequest,
} from '@coxswain/api/resource/v1/resource-claim-spec.ts';

/** One way to satisfy a request: the only one, or an alternative of a prioritized list. */
export interface DeviceChoice {
  /** As in the allocation: `request` or `request/subrequest`. */
  readonly name: string;
  /** The part after the slash. */
  readonly ownName: string;
  readonly requestName: string;
  readonly subRequestName: string | undefined;
  readonly deviceClassName: string;
  readonly all: boolean;
  readonly count: number;
  readonly adminAccess: boolean;
  readonly selectors: readonly DeviceSelector[];
  readonly tolerations: readonly DeviceToleration[];
  readonly capacity: Readonly<Record<string, string>>;
}

/** Returns the alternatives, best first. Empty for an unknown kind of request. */
export function choicesOf(request: DeviceRequest): readonly DeviceChoice[] {
  if (request.exactly) {
    return [choice(request.exactly, request.name, undefined, request.exactly.adminAccess === true)];
  }
  return (request.firstAvailable ?? []).map((one) => choice(one, request.name, one.name, false));
}

function choice(
  request: ExactDeviceRequest | DeviceSubRequest,
  requestName: string,
  subRequestName: string | undefined,
  adminAccess: boolean,
): DeviceChoice {
  return {
    name: subRequestName === undefined ? requestName : `${requestName}/${subRequestName}`,
    ownName: subRequestName ?? requestName,
    requestName,
    subRequestName,
    deviceClassName: request.deviceClassName,
    all: request.allocationMode === 'All',
    count: Number(request.count ?? 0),
    adminAccess,
    selectors: request.selectors ?? [],
    tolerations: request.tolerations ?? [],
    capacity: (request.capacity?.requests ?? {}) as Readonly<Record<string, string>>,
  };
}
