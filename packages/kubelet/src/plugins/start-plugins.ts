/** Drivers and devices that other programs provide to the node through sockets in the kubelet's directory. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '@coxswain/apimachinery';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { KubeClient } from '@coxswain/client';
import { persist } from '../cri/persist.ts';
import type { KubeletDirectories } from '../pod-paths.ts';
import type { ApiSources } from '../volumes/api-sources.ts';
import { ClaimDrivers } from './claims/claim-drivers.ts';
import { ClaimMetrics } from './claims/claim-metrics.ts';
import { ClaimedDevices } from './claims/claimed-devices.ts';
import { DeviceHealths } from './claims/device-healths.ts';
import { CsiApi } from './csi/csi-api.ts';
import { CsiNodeObject } from './csi/csi-node-object.ts';
import { CsiVolumes } from './csi/csi-volumes.ts';
import { RegisteredDrivers } from './csi/registered-drivers.ts';
import { DeviceManager } from './devices/device-manager.ts';
import { PluginWatcher } from './registration/plugin-watcher.ts';

export interface PluginsOptions {
  readonly client: KubeClient;
  readonly nodeName: string;
  readonly directories: KubeletDirectories;
  readonly sources: Pick<ApiSources, 'secret' | 'tokenStatus'>;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** Reports the node's status at once. */
  readonly refreshNode: () => Promise<void>;
  /** Called when the health of these pods' devices has changed. */
  readonly healthChanged: (podUids: readonly string[]) => void;
  /** Returns the pods that still have their devices. */
  readonly activePods: () => ReadonlySet<string>;
}

export interface Plugins {
  readonly csi: CsiVolumes;
  readonly devices: DeviceManager;
  readonly claims: ClaimedDevices;
  /**
   * Called once the node is registered; resolves when the waiting plugins have been handled.
   * @throws Error if it is unknown which claims are prepared
   */
  start(): Promise<void>;
  /** Called once the pods of the node are known. */
  releaseUnused(): Promise<void>;
}

export function preparePlugins(options: PluginsOptions): Plugins {
  const { client, nodeName, directories, sources, clock, signal, onError, refreshNode, activePods } = options;
  const node = new CsiNodeObject({ client, nodeName });
  const drivers = new RegisteredDrivers({ clock, node });
  const api = new CsiApi({ client, nodeName, sources });
  const csi = new CsiVolumes({ directories, drivers, api, clock, reportInUse: refreshNode });
  const devices = new DeviceManager({
    directory: path.join(directories.root, 'device-plugins'),
    clock,
    signal,
    onError,
    changed: () => void refreshNode().catch(onError),
    healthChanged: options.healthChanged,
    activePods,
  });
  const { drivers: claimDrivers, claims } = prepareClaims(options);
  const directory = path.join(directories.root, 'plugins_registry');
  const handlers = { CSIPlugin: drivers, DevicePlugin: devices.handler, DRAPlugin: claimDrivers };
  const watcher = new PluginWatcher({ directory, handlers, clock, signal, onError });
  return {
    csi,
    devices,
    claims,
    async start() {
      await mkdir(directory, { recursive: true, mode: 0o750 });
      await claims.load();
      await csi.load().catch(onError);
      // A node works without these; pods that need one get an error with the reason.
      await Promise.all([node.prepare().catch(onError), devices.start().catch(onError)]);
      await watcher.start();
      signal.addEventListener('abort', () => (drivers.close(), claimDrivers.close()), { once: true });
    },
    async releaseUnused() {
      // Drivers may register later, from pods that this kubelet has yet to start.
      const release = () => claims.releaseUnused(activePods());
      await Promise.all([csi.releaseUnused(), persist(release, { clock, signal, onError })]);
    },
  };
}

function prepareClaims(options: PluginsOptions) {
  const { client, directories, metrics: all, clock, signal, onError, healthChanged } = options;
  const healths = new DeviceHealths({ clock, directory: directories.root, onError });
  const metrics = new ClaimMetrics(all, clock);
  const drivers = new ClaimDrivers({
    clock,
    metrics,
    health: {
      reported(driver, devices) {
        const pods = claims.podsWith(driver, healths.report(driver, devices));
        if (pods.length > 0) healthChanged(pods);
      },
      // Not when the kubelet itself ends: the next one keeps the health until it expires.
      ended: (driver) => (signal.aborted ? undefined : healths.forget(driver)),
    },
  });
  const claims = new ClaimedDevices({
    client,
    drivers,
    directory: directories.root,
    metrics,
    healthOf: (driver, device) => healths.of(driver, device),
  });
  return { drivers, claims };
}
