/** A CSI driver whose volumes are directories of this machine. It registers like the public node-driver-registrar. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { unary, type Methods } from '@coxswain/grpc/server/method.ts';
import { serveUnixGrpc } from '@coxswain/grpc/server/serve-unix.ts';
import { GrpcError } from '@coxswain/grpc/status.ts';
import type { Decoded, Input, MessageTable } from '@coxswain/protobuf';
import { recordOf } from '../src/cri/shared-messages.ts';
import { NodeCapability, UsageUnit, csiNodeMethods } from '../src/plugins/csi/csi-messages.ts';
import { PluginInfo, RegistrationStatus } from '../src/plugins/registration/registration-messages.ts';

export interface CsiDriverOptions {
  /** Contains its socket and its volumes. */
  readonly directory: string;
  /** `/var/lib/kubelet/plugins_registry` */
  readonly registry: string;
  readonly name: string;
  readonly nodeId?: string;
  readonly volumesMax?: number;
  readonly topology?: Readonly<Record<string, string>>;
  readonly capabilities?: readonly (keyof typeof NodeCapability)[];
  /** Whether it uses bind mounts, which require privileges; otherwise volumes are directories that exist or not. */
  readonly mounts?: boolean;
}

export interface CsiCall {
  readonly method: string;
  readonly request: Readonly<Record<string, unknown>>;
}

export interface CsiDriver {
  readonly calls: CsiCall[];
  /** The names of the called methods, except for queries about the driver itself. */
  steps(): readonly string[];
  /** The kubelet's notifications about the registration. */
  readonly reported: readonly Decoded<typeof RegistrationStatus>[];
  /** Makes the next call of the method fail. */
  fail(method: string, code: number, message: string): void;
  stop(): Promise<void>;
}

const questions = new Set(['nodeGetInfo', 'nodeGetCapabilities', 'nodeGetVolumeStats']);

/** Registers under `<name>-reg.sock`. */
export function startRegistrar(
  registry: string,
  info: Input<typeof PluginInfo>,
  reported: (status: Decoded<typeof RegistrationStatus>) => void = () => undefined,
) {
  const socket = path.join(registry, `${info.name?.replaceAll('/', '_')}-reg.sock`);
  rmSync(socket, { force: true });
  return serveUnixGrpc(socket, {
    '/pluginregistration.Registration/GetInfo': unary({}, PluginInfo, () => info),
    '/pluginregistration.Registration/NotifyRegistrationStatus': unary(RegistrationStatus, {}, (status) => {
      reported(status);
      return {};
    }),
  });
}

export async function startCsiDriver(options: CsiDriverOptions): Promise<CsiDriver> {
  const { directory, registry, name } = options;
  const calls: CsiCall[] = [];
  const reported: Decoded<typeof RegistrationStatus>[] = [];
  const failures = new Map<string, GrpcError>();
  mkdirSync(directory, { recursive: true });
  mkdirSync(registry, { recursive: true });
  const socket = path.join(directory, 'csi.sock');
  rmSync(socket, { force: true });
  const answers = answersOf(options);
  const methods = Object.entries(csiNodeMethods).map(([method, { path: grpcPath, request, response }]) => [
    grpcPath,
    unary(
      request as MessageTable,
      response as MessageTable,
      async (message): Promise<Input<MessageTable>> => {
        calls.push({ method, request: plain(message) });
        const failure = failures.get(method);
        failures.delete(method);
        if (failure !== undefined) throw failure;
        return answers[method as keyof typeof csiNodeMethods](message as never) as Input<MessageTable>;
      },
    ),
  ]);
  const driver = await serveUnixGrpc(socket, Object.fromEntries(methods) as Methods);
  const info = { type: 'CSIPlugin', name, endpoint: socket, supportedVersions: ['1.0.0'] };
  const registrar = await startRegistrar(registry, info, (status) => void reported.push(status));
  return {
    calls,
    reported,
    steps: () => calls.map(({ method }) => method).filter((method) => !questions.has(method)),
    fail: (method, code, message) => void failures.set(method, new GrpcError(code, message)),
    async stop() {
      await registrar.close();
      await driver.close();
      rmSync(socket, { force: true });
    },
  };
}

type Answers = { readonly [M in keyof typeof csiNodeMethods]: (request: never) => Record<string, unknown> };

function answersOf({
  directory,
  nodeId = 'here',
  volumesMax = 0,
  topology = {},
  ...options
}: CsiDriverOptions): Answers {
  const { capabilities = ['stageUnstage'], mounts = false } = options;
  const dataOf = (volume: string): string => {
    const place = path.join(directory, 'volumes', volume);
    mkdirSync(place, { recursive: true });
    return place;
  };
  const mount = (source: string, target: string, readOnly = false): void => {
    mkdirSync(target, { recursive: true });
    if (!mounts || isMountPoint(target)) return;
    execFileSync('mount', ['--bind', source, target]);
    if (readOnly) execFileSync('mount', ['-o', 'remount,bind,ro', target]);
  };
  const unmount = (target: string): void => {
    if (isMountPoint(target)) execFileSync('umount', [target]);
    if (existsSync(target)) rmdirSync(target);
  };
  return {
    nodeGetInfo: () => ({
      nodeId,
      maxVolumesPerNode: volumesMax,
      accessibleTopology: { segments: Object.entries(topology).map(([key, value]) => ({ key, value })) },
    }),
    nodeGetCapabilities: () => ({
      capabilities: capabilities.map((each) => ({ rpc: { type: NodeCapability[each] } })),
    }),
    nodeStageVolume({ volumeId, stagingTargetPath, volumeCapability }: Staging) {
      if (volumeCapability?.block === undefined) mount(dataOf(volumeId), stagingTargetPath);
      return {};
    },
    nodeUnstageVolume({ stagingTargetPath }: Staging) {
      unmount(stagingTargetPath);
      return {};
    },
    nodePublishVolume({ volumeId, targetPath, readonly, volumeCapability }: Publishing) {
      if (volumeCapability?.block === undefined) mount(dataOf(volumeId), targetPath, readonly);
      else writeFileSync(targetPath, 'a device');
      return {};
    },
    nodeUnpublishVolume({ targetPath }: Publishing) {
      if (existsSync(targetPath) && !isDirectory(targetPath)) rmSync(targetPath);
      else unmount(targetPath);
      return {};
    },
    nodeGetVolumeStats: () => ({
      usage: [
        { total: 1000, used: 400, available: 600, unit: UsageUnit.bytes },
        { total: 50, used: 7, available: 43, unit: UsageUnit.inodes },
      ],
    }),
    nodeExpandVolume: ({ capacityRange }: { capacityRange?: { requiredBytes: number } }) => ({
      capacityBytes: capacityRange?.requiredBytes ?? 0,
    }),
  };
}

type Staging = Decoded<(typeof csiNodeMethods)['nodeStageVolume']['request']>;
type Publishing = Decoded<(typeof csiNodeMethods)['nodePublishVolume']['request']>;

const isDirectory = (place: string): boolean => statSync(place).isDirectory();

function isMountPoint(place: string): boolean {
  try {
    execFileSync('mountpoint', ['-q', place]);
    return true;
  } catch {
    return false;
  }
}

/** Converts maps to records and omits empty fields, as one would write the call down. */
function plain(message: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(message)
      .filter(
        ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
      )
      .map(([name, value]) => [name, isPairs(value) ? recordOf(value) : value]),
  );
}

const isPairs = (value: unknown): value is { key: string; value: string }[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null && 'key' in each);
