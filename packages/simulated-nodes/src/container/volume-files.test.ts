import { ManualClock, seededRandom } from '@coxswain/apimachinery';
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import { expect, test } from 'vitest';
import { pod } from '../../../kubelet/test/one-pod.ts';
import { noSources } from '../process/pod-sources.ts';
import { SimulatedRuntime } from '../simulated-runtime.ts';
import { VolumeFiles } from './volume-files.ts';

const bound = { spec: { volumeName: 'pv-1' }, status: { phase: 'Bound' } } as PersistentVolumeClaim;

/** Runs a script in a new pod on a new node. */
async function runOnNewNode(volumeFiles: VolumeFiles, uid: string, script: string): Promise<string> {
  const runtime = new SimulatedRuntime({
    clock: new ManualClock(),
    random: seededRandom(1),
    podCidr: '10.244.0.0/24',
    sources: { ...noSources, claim: async () => bound },
    volumeFiles,
  });
  const container = { name: 'c', image: 'nginx', volumeMounts: [{ name: 'data', mountPath: '/data' }] };
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  const made = pod({ containers: [container], volumes }, { uid });
  const request = { pod: made, container: made.spec.containers[0]!, restarts: 0 };
  const sandbox = await runtime.runSandbox(made);
  const { signal } = new AbortController();
  const { id } = await runtime.startContainer({ ...request, sandbox, signal });
  let out = '';
  await runtime.exec(id, ['sh', '-c', script], {
    stdout: (chunk) => void (out += new TextDecoder().decode(chunk)),
  });
  return out;
}

test('what a pod writes to its claim is there for the next pod, on any node', async () => {
  const volumeFiles = new VolumeFiles();
  await runOnNewNode(volumeFiles, 'u1', 'echo kept > /data/file');
  expect(await runOnNewNode(volumeFiles, 'u2', 'cat /data/file')).toBe('kept\n');
  volumeFiles.forget('pv-1');
  expect(await runOnNewNode(volumeFiles, 'u3', 'ls /data')).toBe('');
});
