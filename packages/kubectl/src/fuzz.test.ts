import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom, systemClock } from '@coxswain/apimachinery';
import { afterAll, expect, test } from 'vitest';
import { runKubectl } from './run.ts';
import { FakeServer } from './testing/fake-server.ts';
import recorded from './testing/generated-exits.json' with { type: 'json' };
import { generatedLine, writeNamedFiles } from './testing/generated-lines.ts';
import { recordedIo } from './testing/recorded-io.ts';

const seed = 20260719;
const linesMax = 10_000;
const bugsShownMax = 12;

/** Messages that only a bug of ours could cause. */
const bug =
  /Cannot read prop|Cannot set prop|is not a function|is not iterable|is not defined|Maximum call stack|Invalid array length|Cannot convert|Cannot mix|\(reading '|undefined is not|Assignment to constant/;

const home = mkdtempSync(join(tmpdir(), 'kubectl-fuzz-'));
writeNamedFiles(home);
afterAll(() => rmSync(home, { recursive: true, force: true }));

test('ten thousand generated command lines end with an exit code and words of their own, never with a bug', async () => {
  const random = seededRandom(seed);
  const bugs: string[] = [];
  for (let count = 0; count < linesMax; count++) {
    const line = generatedLine(random);
    const io = recordedIo({
      transport: new FakeServer(),
      random,
      env: { HOME: home, PATH: home },
      workingDirectory: home,
    });
    const code = await runKubectl(line, io);
    expect(Number.isInteger(code), `kubectl ${line.join(' ')}`).toBe(true);
    if (bug.test(io.text.err)) bugs.push(`kubectl ${JSON.stringify(line)}: ${io.text.err}`);
  }
  expect(bugs.slice(0, bugsShownMax), `seed ${seed}`).toEqual([]);
}, 120_000);

/** Created by `test/differential/exit-codes.ts`; nothing listens on that port. */
const nowhere = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1', 'insecure-skip-tls-verify': true } }],
  users: [{ name: 'u', user: { token: 't' } }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  'current-context': 'x',
};

test(`${recorded.exits.length} generated command lines exit like upstream's without a server`, async () => {
  const random = seededRandom(recorded.seed);
  const different: string[] = [];
  for (const wanted of recorded.exits) {
    const line = generatedLine(random);
    const kubeconfig = join(home, 'nowhere.json');
    writeFileSync(kubeconfig, JSON.stringify(nowhere));
    const io = recordedIo({
      clock: systemClock,
      env: { HOME: home, PATH: home, KUBECONFIG: kubeconfig },
      workingDirectory: home,
    });
    const code = await runKubectl(line, io);
    if (String(code) !== wanted && wanted !== '-')
      different.push(`kubectl ${JSON.stringify(line)}: ${code}, not ${wanted}: ${io.text.err}`);
  }
  expect(different.slice(0, bugsShownMax)).toEqual([]);
}, 120_000);
