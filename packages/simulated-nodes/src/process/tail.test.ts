import { expect, test } from 'vitest';
import { OnePod, pod } from '../../../kubelet/test/one-pod.ts';

test('a container follows the file that another one writes', async () => {
  const volumeMounts = [{ name: 'logs', mountPath: '/logs' }];
  const container = (name: string, script: string) => ({
    name,
    image: 'busybox',
    command: ['sh', '-c', script],
    volumeMounts,
  });
  const one = new OnePod(
    pod({
      containers: [
        container('reader', 'tail -n+1 -F /logs/file'),
        container(
          'writer',
          'for i in 1 2 3; do sleep 3; echo line $i >> /logs/file; done; echo new > /logs/file; sleep 60',
        ),
      ],
      volumes: [{ name: 'logs', emptyDir: {} }],
    }),
  );
  await one.pass(20_000);
  const id = one.container('reader').containerID!.replace('containerd://', '');
  let text = '';
  for await (const chunk of one.runtime.logs(id, {})) text += new TextDecoder().decode(chunk);
  expect(text).toBe('tail: /logs/file: No such file or directory\nline 1\nline 2\nnew\n');
});
