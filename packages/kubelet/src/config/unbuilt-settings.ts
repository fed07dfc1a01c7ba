/** Settings that ask for what is not built: the kubelet doesn't start with them, rather than go on without a word. */
import type { KubeletSettings } from './kubelet-configuration.ts';

/** Which values are built. */
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
  if (settings.crashLoopBackOff.maxContainerRestartPeriod !== undefined)
    throw new Error('crashLoopBackOff.maxContainerRestartPeriod is not implemented');
  const { imageServiceEndpoint: images, containerRuntimeEndpoint: containers } = settings;
  if (images !== '' && images !== containers)
    throw new Error('imageServiceEndpoint is not implemented: the container runtime has the images, too');
  if (Object.keys(settings.qosReserved).length > 0) throw new Error('qosReserved is not implemented');
}

const spoken = (values: readonly unknown[]): string => JSON.stringify(values[0]);
