import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Belongings } from './belongings.ts';

test('what a run that was killed has left is told to one that comes later, once; what others have is theirs', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'cox-belongings-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const kind = path.relative(path.join(tmpdir(), 'coxswain-test-belongings'), directory);
  const mine = new Belongings(kind);
  mine.add('mine', 'in use');
  const program = `
    import { Belongings } from '${path.join(import.meta.dirname, 'belongings.ts')}';
    const its = new Belongings('${kind}');
    its.add('given-back');
    its.delete('given-back');
    its.add('left', 'a bridge');
    console.log('ready');
    setInterval(() => {}, 1_000_000);`;
  const other = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(other.stdout, 'data');
  expect(mine.takeAbandoned()).toEqual([]);
  other.kill('SIGKILL');
  await once(other, 'exit');
  expect(mine.takeAbandoned()).toEqual([['left', 'a bridge']]);
  expect(mine.takeAbandoned()).toEqual([]);
});
