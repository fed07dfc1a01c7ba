/** Settings that request unimplemented features: the kubelet refuses to start with them instead of ignoring them. */
import { deepEqual } from '@coxswain/apimachinery';
import { defaultSettings, type KubeletSettings } from './kubelet-configuration.ts';

/** The implemented values. */
const built: { readonly [Name in keyof KubeletSettings]?: readonly KubeletSettings[Name][] } = {
  cgroupDriver: ['cgroupfs'],
  cgroupsPerQOS: [true],
  cpuManagerPolicy: ['none', ''],
  memoryManagerPolicy: ['None', ''],
  topologyManagerPolicy: ['none', ''],
  memoryReservationPolicy: ['None', ''],
  reservedSystemCPUs: [''],
  staticPodURL: [''],
  readOnlyPort: [0],
  runOnce: [false],
  enableSystemLogQuery: [false],
  systemReservedCgroup: [''],
  kubeReservedCgroup: [''],
  kubeletCgroups: [''],
  systemCgroups: [''],
  enableControllerAttachDetach: [true],
  kernelMemcgNotification: [false],
  volumePluginDir: [defaultSettings.volumePluginDir],
};

/** Settings of which no value is implemented. */
const empty: readonly (keyof KubeletSettings)[] = [
  'qosReserved',
  'reservedMemory',
  'cpuManagerPolicyOptions',
  'topologyManagerPolicyOptions',
  'tracing',
];

/** Settings without effect and the reason, which is reported if they are set. */
const withoutEffect: { readonly [Name in keyof KubeletSettings]?: string } = {
  enableContentionProfiling: 'there are no locks to look at',
  enableProfilingHandler: 'there are no profiles',
  enableDebugFlagsHandler: 'the amount of log lines is fixed',
  maxOpenFiles: 'as many files are open as the system lets this user open',
  makeIPTablesUtilChains: 'nothing is written for iptables',
  showHiddenMetricsForVersion: 'no metrics are hidden',
  contentType: 'the client chooses it by what it sends',
  logging: 'the amount and the form of log lines are fixed',
};

/** @throws Error for the first of them */
export function refuseUnbuilt(settings: KubeletSettings): void {
  for (const [name, values] of Object.entries(built)) {
    const value: unknown = settings[name as keyof KubeletSettings];
    if (!(values as readonly unknown[]).includes(value))
      throw new Error(`${name} ${JSON.stringify(value)} is not implemented, only ${spoken(values)} is`);
  }
  const { swapBehavior = 'NoSwap' } = settings.memorySwap;
  if (swapBehavior !== 'NoSwap' && swapBehavior !== '')
    throw new Error(`memorySwap.swapBehavior "${swapBehavior}" is not implemented, only "NoSwap" is`);
  const { imageServiceEndpoint: images, containerRuntimeEndpoint: containers } = settings;
  if (images !== '' && images !== containers)
    throw new Error('imageServiceEndpoint is not implemented: the container runtime has the images, too');
  for (const name of empty)
    if (Object.keys(settings[name] ?? {}).length > 0) throw new Error(`${name} is not implemented`);
}

/** Returns a line for each setting that was set but has no effect. */
export const ineffectiveSettings = (settings: KubeletSettings): readonly string[] =>
  Object.entries(withoutEffect).flatMap(([name, why]) => {
    const key = name as keyof KubeletSettings;
    const isDefault = deepEqual(settings[key], defaultSettings[key]);
    return isDefault ? [] : [`${name} has no effect: ${why}`];
  });

const spoken = (values: readonly unknown[]): string => JSON.stringify(values[0]);
