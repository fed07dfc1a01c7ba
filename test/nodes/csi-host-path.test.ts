/**
 * The public sample driver kubernetes-csi/csi-driver-host-path against our kubelet: an outside judge of the calls.
 * `CSI_HOSTPATH_PLUGIN` names the program, built by `go build ./cmd/hostpathplugin`; skipped without it.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock, type KubeObject } from '@coxswain/apimachinery';
import { grpcClient } from '@coxswain/grpc/client/client.ts';
import { serviceMethods } from '@coxswain/grpc/method.ts';
import type { GrpcServer } from '@coxswain/grpc/server/serve-unix.ts';
import { field, repeated } from '@coxswain/protobuf';
import { VolumeCapability } from '@coxswain/kubelet/plugins/csi/csi-messages.ts';
import { startRegistrar } from '../../packages/kubelet/test/csi-driver.ts';
import { whyNoContainers } from './containerd.ts';
import { nodeName, startOneRealNode, type OneRealNode } from './one-real-node.ts';
import { isRunning, scriptPod } from './script-pod.ts';

const program = process.env['CSI_HOSTPATH_PLUGIN'];
const why = whyNoContainers() ?? (program === undefined ? 'CSI_HOSTPATH_PLUGIN is not set' : undefined);
const judge = test.skipIf(why !== undefined);
const patienceMs = 90_000;
const driverName = 'hostpath.csi.k8s.io';
let node: OneRealNode;
let driver: ChildProcess;
let registrar: GrpcServer;
let socketPath: string;
let said = '';
const made: string[] = [];

beforeAll(async () => {
  if (why !== undefined) return;
  node = await startOneRealNode();
  const directory = path.join(node.rootDirectory, 'plugins', 'csi-hostpath');
  mkdirSync(directory, { recursive: true });
  socketPath = path.join(directory, 'csi.sock');
  driver = spawn(program!, [
    `--endpoint=unix://${socketPath}`,
    `--nodeid=${nodeName}`,
    `--drivername=${driverName}`,
    `--statedir=${path.join(node.containerd.directory, 'hostpath-state')}`,
    '--v=5',
  ]);
  driver.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-1_000_000)));
  while (!existsSync(socketPath)) await new Promise((resolve) => setTimeout(resolve, 50));
  registrar = await startRegistrar(path.join(node.rootDirectory, 'plugins_registry'), {
    type: 'CSIPlugin',
    name: driverName,
    endpoint: socketPath,
    supportedVersions: ['1.0.0'],
  });
  await create('storage.k8s.io/v1', 'csidrivers', 'CSIDriver', driverName, {
    spec: {
      attachRequired: false,
      podInfoOnMount: true,
      fsGroupPolicy: 'File',
      volumeLifecycleModes: ['Persistent', 'Ephemeral'],
    },
  });
}, patienceMs);
afterAll(async () => {
  await removeVolumes();
  await registrar?.close();
  driver?.kill('SIGTERM');
  await node?.stop();
}, patienceMs);

const create = (apiVersion: string, plural: string, kind: string, name: string, more: object) =>
  node.client
    .resource<KubeObject>(apiVersion, plural)
    .create({ apiVersion, kind, metadata: { name }, ...more } as never);

const controller = serviceMethods('csi.v1.Controller');
const createVolume = controller(
  'CreateVolume',
  {
    name: field(1, 'string'),
    capacityRange: field(2, { requiredBytes: field(1, 'int64') }),
    volumeCapabilities: repeated(3, VolumeCapability),
  },
  { volume: field(1, { capacityBytes: field(1, 'int64'), volumeId: field(2, 'string') }) },
);

const deleteVolume = controller('DeleteVolume', { volumeId: field(1, 'string') }, {});

/** As the provisioner beside a driver does. */
async function volumeOf(name: string, kind: 'mount' | 'block'): Promise<string> {
  const client = grpcClient(
    { createVolume },
    { endpoints: [`unix://${socketPath}`], service: name, clock: systemClock, timeoutMs: 10_000 },
  );
  const { volume } = await client.createVolume({
    name,
    capacityRange: { requiredBytes: 8 * 1024 * 1024 },
    volumeCapabilities: [{ [kind]: {}, accessMode: { mode: 1 } }],
  });
  client.close();
  made.push(volume?.volumeId ?? '');
  return volume?.volumeId ?? '';
}

/** A loop device of the machine may belong to one. */
async function removeVolumes(): Promise<void> {
  const client = grpcClient(
    { deleteVolume },
    { endpoints: [`unix://${socketPath}`], service: 'removal', clock: systemClock, timeoutMs: 10_000 },
  );
  for (const volumeId of made) await client.deleteVolume({ volumeId });
  client.close();
}

async function claim(name: string, kind: 'mount' | 'block'): Promise<void> {
  const volumeMode = kind === 'block' ? 'Block' : 'Filesystem';
  await create('v1', 'persistentvolumes', 'PersistentVolume', name, {
    spec: {
      capacity: { storage: '8Mi' },
      accessModes: ['ReadWriteOnce'],
      volumeMode,
      claimRef: { namespace: 'default', name },
      csi: { driver: driverName, volumeHandle: await volumeOf(name, kind) },
    },
  });
  await node.client
    .resource<KubeObject>('v1', 'persistentvolumeclaims')
    .namespace('default')
    .create({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: '',
        volumeMode,
        volumeName: name,
        resources: { requests: { storage: '8Mi' } },
      },
    } as never);
}

const mountsOfNode = () =>
  readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .filter((line) => line.includes(`${node.rootDirectory}/`) && line.includes('csi'));

judge(
  'a volume with files, for a group, by a kubelet that starts anew meanwhile',
  async () => {
    await claim('files', 'mount');
    const spec = {
      securityContext: { fsGroup: 4711 },
      volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'files' } }],
    };
    const volumeMounts = [{ name: 'v', mountPath: '/data' }];
    await node.create(scriptPod('first', 'echo kept > /data/file; exec sleep 1000', spec, { volumeMounts }));
    await node.until('first', isRunning, 'running');
    expect((await node.exec('first', 'stat -c %g /data; cat /data/file')).output).toBe('4711\nkept\n');
    await node.restartKubelet();
    await node.remove('first');
    expect(mountsOfNode()).toEqual([]);
    await node.create(scriptPod('second', 'exec sleep 1000', spec, { volumeMounts }));
    await node.until('second', isRunning, 'running');
    expect((await node.exec('second', 'cat /data/file')).output).toBe('kept\n');
    await node.remove('second');
    expect(mountsOfNode()).toEqual([]);
    expect(said).not.toContain('GRPC error');
  },
  patienceMs,
);

judge(
  'a volume of the pod itself',
  async () => {
    const volumes = [{ name: 'v', csi: { driver: driverName, volumeAttributes: { size: '1Mi' } } }];
    const volumeMounts = [{ name: 'v', mountPath: '/data' }];
    await node.create(scriptPod('inline', 'touch /data/x; exec sleep 1000', { volumes }, { volumeMounts }));
    await node.until('inline', isRunning, 'running');
    await node.remove('inline');
    expect(mountsOfNode()).toEqual([]);
  },
  patienceMs,
);

judge(
  'a volume that is a device',
  async () => {
    await claim('raw', 'block');
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'raw' } }];
    const volumeDevices = [{ name: 'v', devicePath: '/dev/xvda' }];
    await node.create(scriptPod('block', 'exec sleep 1000', { volumes }, { volumeDevices }));
    await node.until('block', isRunning, 'running');
    const { output } = await node.exec('block', 'echo raw > /dev/xvda; head -c 4 /dev/xvda');
    expect(output).toBe('raw\n');
    await node.remove('block');
    expect(mountsOfNode()).toEqual([]);
  },
  patienceMs,
);
