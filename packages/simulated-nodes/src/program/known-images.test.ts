import { expect, test } from 'vitest';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import { OnePod, pod } from '../../../kubelet/test/one-pod.ts';

const started = async (container: Partial<Container>): Promise<OnePod> => {
  const one = new OnePod(pod({ containers: [{ name: 'c', ...container }] }));
  await one.pass();
  return one;
};

const execIn = (one: OnePod, command: readonly string[], stdout: (chunk: Uint8Array) => void = () => {}) =>
  one.runtime.exec(one.container().containerID!.replace('containerd://', ''), command, { stdout });

test('the liveness example of the documentation is restarted', async () => {
  const one = await started({
    image: 'registry.k8s.io/e2e-test-images/agnhost:2.40',
    args: ['liveness'],
    livenessProbe: { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 3, failureThreshold: 3 },
  } as Partial<Container>);
  await one.pass(10_000);
  expect(one.container().restartCount).toBe(0);
  await one.pass(20_000);
  expect(one.container().restartCount).toBe(1);
  expect(one.events.join('\n')).toContain('Liveness probe failed: HTTP probe failed with statuscode: 500');
});

test.each([
  'registry.k8s.io/pause:3.10',
  'gcr.io/distroless/static',
  'registry.k8s.io/coredns/coredns:v1.12',
])('%s has no shell', async (image) => {
  const one = await started({ image });
  await expect(execIn(one, ['sh'])).rejects.toThrow('exec: "sh": executable file not found in $PATH');
});

test('a hook that asks nginx to quit ends it at once', async () => {
  const script = 'nginx -s quit; while killall -0 nginx; do sleep 1; done';
  const one = await started({
    image: 'nginx',
    lifecycle: { preStop: { exec: { command: ['/bin/sh', '-c', script] } } },
  });
  one.delete();
  await one.pass(2_000);
  expect(one.removed).toBe(true);
});
