import { expect, test } from 'vitest';
import { defaultSettings } from './kubelet-configuration.ts';
import type { KubeletSettings } from './kubelet-configuration.ts';
import { refuseUnbuilt } from './unbuilt-settings.ts';

test('the defaults are built', () => {
  expect(() => refuseUnbuilt(defaultSettings)).not.toThrow();
});

test.each<[Partial<KubeletSettings>, string]>([
  [{ cgroupDriver: 'systemd' }, 'cgroupDriver "systemd" is not implemented, only "cgroupfs" is'],
  [{ cpuManagerPolicy: 'static' }, 'cpuManagerPolicy "static" is not implemented, only "none" is'],
  [{ readOnlyPort: 10_255 }, 'readOnlyPort 10255 is not implemented, only 0 is'],
  [
    { memorySwap: { swapBehavior: 'LimitedSwap' } },
    'memorySwap.swapBehavior "LimitedSwap" is not implemented',
  ],
  [{ qosReserved: { memory: '50%' } }, 'qosReserved is not implemented'],
])('%j is refused, not ignored', (change, message) => {
  expect(() => refuseUnbuilt({ ...defaultSettings, ...change })).toThrow(message);
});
