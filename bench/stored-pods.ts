/** Writes a data directory with a number of pods, and starts a kube-apiserver on it in a separate process. */
import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { LmdbStorage } from '@coxswain/storage/engine/lmdb/lmdb-storage.ts';

export const dataDirectoryOf = (directory: string): string => join(directory, 'data');

/** The token of a user in `system:masters`. */
export const token = 'bench-token';

/** @param bytes the minimum size of each pod as JSON */
export async function writePods(directory: string, pods: number, bytes: number): Promise<void> {
  const storage = new LmdbStorage({ directory, durability: 'relaxed' });
  for (let from = 0; from < pods; from += 1_000) {
    await Promise.all(
      Array.from({ length: Math.min(1_000, pods - from) }, (_, i) =>
        storage.update(`/registry/pods/ns-${(from + i) % 100}/web-${from + i}`, () => ({
          kind: 'put',
          value: podBytes(from + i, bytes),
        })),
      ),
    );
  }
  await storage.compact(storage.currentRevision);
  await storage.engine.defragment();
  await storage.close();
}

function podBytes(index: number, bytes: number): Buffer {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `web-${index}`,
      namespace: `ns-${index % 100}`,
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { app: `app-${index % 500}`, 'pod-template-hash': '5d4f8c7b9' },
      annotations: { filler: '' },
    },
    spec: {
      containers: [
        {
          name: 'web',
          image: 'nginx',
          imagePullPolicy: 'Always',
          resources: {},
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
        },
      ],
      nodeName: `node-${index % 5_000}`,
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: 'default',
      securityContext: {},
      schedulerName: 'default-scheduler',
    },
    status: { phase: 'Running', podIP: '10.0.0.1', qosClass: 'BestEffort' },
  };
  const missing = bytes - Buffer.byteLength(JSON.stringify(pod));
  pod.metadata.annotations.filler = 'x'.repeat(Math.max(0, missing));
  return Buffer.from(JSON.stringify(pod));
}

export interface BenchServer {
  readonly child: ChildProcess;
  readonly port: number;
}

/** Resolves when the server is ready. */
export async function startApiServer(directory: string): Promise<BenchServer> {
  const port = await freePort();
  writeFileSync(join(directory, 'tokens.csv'), `${token},bench,bench,"system:masters"\n`);
  const child = spawn(
    process.execPath,
    [
      join(import.meta.dirname, '../packages/coxswain/bin/coxswain.mjs'),
      'kube-apiserver',
      `--data-dir=${dataDirectoryOf(directory)}`,
      `--secure-port=${port}`,
      `--cert-dir=${directory}`,
      `--token-auth-file=${join(directory, 'tokens.csv')}`,
    ],
    { stdio: 'ignore' },
  );
  child.once('exit', (code) => {
    if (code !== 0) throw new Error(`kube-apiserver ended with ${code}`);
  });
  while ((await getFrom(port, '/readyz').catch(() => undefined))?.status !== 200)
    await new Promise((resolve) => void setTimeout(resolve, 20));
  return { child, port };
}

export function getFrom(port: number, path: string): Promise<{ status: number; bytes: number }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const call = request({ host: '127.0.0.1', port, path, headers, rejectUnauthorized: false }, (answer) => {
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, bytes }));
      answer.on('error', reject);
    });
    call.on('error', reject);
    call.end();
  });
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => void probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address() as AddressInfo;
  await new Promise<void>((resolve) => void probe.close(() => resolve()));
  return address.port;
}
