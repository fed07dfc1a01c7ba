import { expect, test } from 'vitest';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import { OnePod, pod } from '../../../kubelet/test/one-pod.ts';

async function logOf(container: Partial<Container>): Promise<string> {
  const one = new OnePod(
    pod({
      restartPolicy: 'Never',
      containers: [
        {
          name: 'c',
          image: 'busybox',
          env: [
            { name: 'FIRST', value: 'one' },
            { name: 'BOTH', value: '$(FIRST)/two' },
            { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
          ],
          ...container,
        },
      ],
    }),
  );
  await one.pass(1_000);
  const id = one.container().containerID!.replace('containerd://', '');
  let text = '';
  for await (const chunk of one.runtime.logs(id, {})) text += new TextDecoder().decode(chunk);
  return text;
}

test.each<[Partial<Container>, string]>([
  [{ command: ['printenv', 'BOTH', 'NODE'] }, 'one/two\nnode-0\n'],
  [{ command: ['/bin/echo', '$(BOTH) $(NODE) $$(NODE) $(NONE)'] }, 'one/two node-0 $(NODE) $(NONE)\n'],
  [{ command: ['sh', '-c'], args: ['echo $(FIRST)'] }, 'one\n'],
  [{ command: ['sh', '-c', 'echo -en "$BOTH\\n"; sleep 0.1; printenv NODE'] }, 'one/two\nnode-0\n'],
  [{ command: ['sh', '-c', 'while true; do printenv FIRST; sleep 10; done'] }, 'one\n'],
])('%j sees the variables of its container', async (container, log) => {
  expect(await logOf(container)).toBe(log);
});
