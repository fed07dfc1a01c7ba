/** Expressions that choose devices bring CEL along: loaded when the first pod needs them, and kept. */
import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';
import type { DeviceSelectors } from './device-selectors.ts';

let loaded: DeviceSelectors | undefined;

export const loadedSelectors = (): DeviceSelectors | undefined => loaded;

export async function loadSelectors(): Promise<void> {
  const { DeviceSelectors } = await inWallTime(() => import('./device-selectors.ts'));
  loaded ??= new DeviceSelectors();
}
