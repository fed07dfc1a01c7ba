import type { DeviceToleration } from '@coxswain/api/resource/v1/device-toleration.ts';
import type { Device, DeviceTaint } from '@coxswain/api/resource/v1/device.ts';

/** Whether the device may be allocated to a request with these tolerations. */
export const isTolerated = ({ taints }: Device, tolerations: readonly DeviceToleration[]): boolean =>
  (taints ?? []).every(
    (taint) => taint.effect === 'None' || tolerations.some((toleration) => tolerates(toleration, taint)),
  );

export function tolerates({ effect, key, operator, value }: DeviceToleration, taint: DeviceTaint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  return operator === 'Exists' || (value ?? '') === (taint.value ?? '');
}
