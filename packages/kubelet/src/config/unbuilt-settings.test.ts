import { expect, test } from 'vitest';
import { defaultSettings, type KubeletSettings } from './kubelet-configuration.ts';
import { ineffectiveSettings, refuseUnbuilt } from './unbuilt-settings.ts';

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
  [{ tracing: { endpoint: 'localhost:4317' } }, 'tracing is not implemented'],
  [{ reservedMemory: [{ numaNode: 0 }] }, 'reservedMemory is not implemented'],
  [{ kubeletCgroups: '/kubelet' }, 'kubeletCgroups "/kubelet" is not implemented, only "" is'],
  [{ enableControllerAttachDetach: false }, 'enableControllerAttachDetach false is not implemented'],
])('%j is refused, not ignored', (change, message) => {
  expect(() => refuseUnbuilt({ ...defaultSettings, ...change })).toThrow(message);
});

test('settings without effect are reported with the reason', () => {
  expect(ineffectiveSettings(defaultSettings)).toEqual([]);
  expect(ineffectiveSettings({ ...defaultSettings, maxOpenFiles: 5, logging: { format: 'json' } })).toEqual([
    expect.stringMatching(/^maxOpenFiles has no effect: /),
    expect.stringMatching(/^logging has no effect: /),
  ]);
});
