import { expect, test } from 'vitest';
import { OnePod, pod } from '../../test/one-pod.ts';

/** What a client sees that attaches and sends `input`, and the exit code of the container. */
async function attached(command: readonly string[], input: string) {
  const c = { name: 'c', image: 'busybox', command, stdin: true, stdinOnce: true };
  const one = new OnePod(pod({ restartPolicy: 'Never', containers: [c] }));
  await one.pass();
  const seen: Uint8Array[] = [];
  const id = one.container().containerID?.replace('containerd://', '');
  if (one.container().state?.running)
    await one.runtime.attach(id!, {
      stdin: (async function* () {
        yield new TextEncoder().encode(input);
      })(),
      stdout: (bytes) => void seen.push(bytes),
    });
  await one.pass();
  return {
    seen: Buffer.concat(seen).toString(),
    exitCode: one.container().state?.terminated?.exitCode,
  };
}

test.each<[string, readonly string[], string, string, number]>([
  ['a script', ['sh', '-c', 'read name; echo hello $name; exit 3'], 'you\n', 'hello you\n', 3],
  ['a simple script', ['sh', '-c', 'cat; echo end'], 'a\n', 'a\nend\n', 0],
  ['a program with operands', ['wc', '-c'], 'four', '4\n', 0],
  ['a program without operands', ['sort'], 'b\na\n', 'a\nb\n', 0],
  ['a shell', ['sh'], 'echo hi; exit 4\n', 'hi\n', 4],
])('%s reads what is sent to it', async (_what, command, input, seen, exitCode) => {
  expect(await attached(command, input)).toEqual({ seen, exitCode });
});

test('a program that reads nothing ends without anybody attaching', async () => {
  expect(await attached(['id'], '')).toEqual({ seen: '', exitCode: 0 });
});
