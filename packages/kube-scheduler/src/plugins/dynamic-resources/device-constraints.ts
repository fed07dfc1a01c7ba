import type { DeviceAttribute } from '@coxswain/api/resource/v1/device-attribute.ts';
import type { DeviceConstraint } from '@coxswain/api/resource/v1/resource-claim-spec.ts';
import type { PoolDevice } from './device-pools.ts';
import type { DeviceChoice } from './device-requests.ts';

/** A device chosen for a request. */
export interface ChosenDevice {
  readonly choice: DeviceChoice;
  readonly device: PoolDevice;
}

/** Whether `next` is compatible with the devices chosen for the claim so far. */
export function satisfies(
  { requests, matchAttribute, distinctAttribute }: DeviceConstraint,
  chosen: readonly ChosenDevice[],
  next: ChosenDevice,
): boolean {
  const concerns = ({ choice }: ChosenDevice) =>
    (requests?.length ?? 0) === 0 ||
    requests!.includes(choice.requestName) ||
    (choice.subRequestName !== undefined && requests!.includes(choice.name));
  if (!concerns(next)) return true;
  const name = matchAttribute ?? distinctAttribute ?? '';
  const value = attributeText(next.device, name);
  if (value === undefined) return false;
  const others = chosen.filter(concerns).map(({ device }) => attributeText(device, name));
  return matchAttribute ? others.every((other) => other === value) : !others.includes(value);
}

/** Includes the type, so that the text `1` differs from the number 1. */
function attributeText({ device, driver }: PoolDevice, name: string): string | undefined {
  const attributes = (device.attributes ?? {}) as Readonly<Record<string, DeviceAttribute>>;
  const [domain = '', own = ''] = name.split('/', 2);
  const attribute = attributes[name] ?? (domain === driver ? attributes[own] : undefined);
  if (attribute === undefined) return undefined;
  const { string, int, bool, version } = attribute;
  if (string != null) return `string ${string}`;
  if (int != null) return `int ${int}`;
  if (bool != null) return `bool ${bool}`;
  return version == null ? undefined : `version ${version}`;
}
