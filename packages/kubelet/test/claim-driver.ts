/** A driver of dynamic resources whose devices are the claims themselves. */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { aborted } from '@coxswain/apimachinery';
import { answers, unary } from '@coxswain/grpc/server/method.ts';
import { serveUnixGrpc } from '@coxswain/grpc/server/serve-unix.ts';
import { claimDriverMethods, watchHealth } from '../src/plugins/claims/claim-driver-messages.ts';
import { startRegistrar } from './csi-driver.ts';

export interface ClaimDriverOptions {
  /** Contains its socket. */
  readonly directory: string;
  /** `/var/lib/kubelet/plugins_registry` */
  readonly registry: string;
  readonly name: string;
  /** `v1.DRAPlugin` unless set. */
  readonly version?: string;
}

export interface ClaimDriverOfTest {
  /** `prepare NAME`, `unprepare NAME` */
  readonly calls: readonly string[];
  /** Reported for every claim to prepare unless empty. */
  failure: string;
  /** Reports the health of its devices: 0 unknown, 1 healthy, 2 unhealthy. */
  report(device: string, health: number, message?: string): void;
  stop(): Promise<void>;
}

export async function startClaimDriver(options: ClaimDriverOptions): Promise<ClaimDriverOfTest> {
  const { directory, registry, name, version = 'v1.DRAPlugin' } = options;
  const { prepare, unprepare } = claimDriverMethods[isKnown(version) ? version : 'v1.DRAPlugin'];
  const endpoint = path.join(directory, 'claims.sock');
  mkdirSync(directory, { recursive: true });
  mkdirSync(registry, { recursive: true });
  rmSync(endpoint, { force: true });
  const calls: string[] = [];
  const reports = new Map<string, object>();
  let changed = Promise.withResolvers<void>();
  const driver = {
    calls,
    failure: '',
    report(device: string, health: number, message = '') {
      reports.set(device, { device: { poolName: 'node', deviceName: device }, health, message });
      changed.resolve();
      changed = Promise.withResolvers();
    },
    stop,
  };
  async function* health(_: unknown, signal: AbortSignal) {
    while (!signal.aborted) {
      yield { devices: [...reports.values()] };
      await Promise.race([changed.promise, aborted(signal)]);
    }
  }
  const server = await serveUnixGrpc(endpoint, {
    [prepare.path]: unary(prepare.request, prepare.response, ({ claims }) => ({
      claims: claims.map((claim) => {
        calls.push(`prepare ${claim.name}`);
        if (driver.failure !== '') return { key: claim.uid, value: { error: driver.failure } };
        const devices = [
          {
            requestNames: ['gpu'],
            poolName: 'node',
            deviceName: claim.name,
            cdiDeviceIds: [`example.com/gpu=${claim.name}`],
          },
          {
            requestNames: [],
            poolName: 'node',
            deviceName: 'common',
            cdiDeviceIds: ['example.com/gpu=common'],
          },
        ];
        return { key: claim.uid, value: { devices } };
      }),
    })),
    [watchHealth.path]: answers({}, watchHealth.response, health),
    [unprepare.path]: unary(unprepare.request, unprepare.response, ({ claims }) => ({
      claims: claims.map((claim) => {
        calls.push(`unprepare ${claim.name}`);
        return { key: claim.uid, value: {} };
      }),
    })),
  });
  const registrar = await startRegistrar(registry, {
    type: 'DRAPlugin',
    name,
    endpoint,
    supportedVersions: [version],
  });
  return driver;

  async function stop(): Promise<void> {
    await registrar.close();
    await server.close();
  }
}

const isKnown = (version: string): version is keyof typeof claimDriverMethods =>
  Object.hasOwn(claimDriverMethods, version);
