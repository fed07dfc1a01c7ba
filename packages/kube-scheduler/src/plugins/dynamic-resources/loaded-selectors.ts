/** Loads the code for device selectors, which depends on CEL, when the first pod needs it. */
import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';
import type { DeviceSelectors } from './device-selectors.ts';

let loaded: DeviceSelectors | undefined;

export const loadedSelectors = (): DeviceSelectors | undefined => loaded;

export async function loadSelectors(): Promise<void> {
  const { DeviceSelectors } = await inWallTime(() => import('./device-selectors.ts'));
  loaded ??= new DeviceSelectors();
}
