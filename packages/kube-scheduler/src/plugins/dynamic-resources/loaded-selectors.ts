/** Expressions that choose devices bring CEL along: loaded when the first pod needs them, and kept. */
import type { DeviceSelectors } from './device-selectors.ts';

let loaded: DeviceSelectors | undefined;

export const loadedSelectors = (): DeviceSelectors | undefined => loaded;

export async function loadSelectors(): Promise<void> {
  const { DeviceSelectors } = await import('./device-selectors.ts');
  loaded ??= new DeviceSelectors();
}
