/**
 * `node scripts/node26.mjs test/differential/exit-codes.ts --kubectl PROGRAM [--count N] [--seed S]`: records how the
 * original's kubectl ends where it is given generated command lines and no server answers. Our tests compare with it.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '@coxswain/apimachinery';
import { generatedLine, writeNamedFiles } from '@coxswain/kubectl/testing/generated-lines.ts';

const { values } = parseArgs({
  options: {
    kubectl: { type: 'string', default: 'kubectl' },
    count: { type: 'string', default: '700' },
    seed: { type: 'string', default: '11' },
  },
});

const out = path.join(import.meta.dirname, '../../packages/kubectl/src/testing/generated-exits.json');
/** Nobody listens there. */
const kubeconfig = `{"apiVersion":"v1","kind":"Config","current-context":"x","clusters":[{"name":"c","cluster":{"server":"https://127.0.0.1:1","insecure-skip-tls-verify":true}}],"users":[{"name":"u","user":{"token":"t"}}],"contexts":[{"name":"x","context":{"cluster":"c","user":"u"}}]}`;
const lineMsMax = 10_000;

const seed = Number(values.seed);
const random = seededRandom(seed);
const home = mkdtempSync(path.join(os.tmpdir(), 'kubectl-exits-'));
writeNamedFiles(home);
let exits = '';
for (let count = 0; count < Number(values.count); count++) exits += await exitOf(generatedLine(random));
rmSync(home, { recursive: true, force: true });
writeFileSync(out, `${JSON.stringify({ seed, exits: [...exits] })}\n`);

/** A digit; `-` for lines that can't be given to a program, or never end. */
function exitOf(line: readonly string[]): Promise<string> {
  if (line.some((word) => word.includes('\0'))) return Promise.resolve('-');
  // Lines may change the configuration.
  const config = path.join(home, 'nowhere.json');
  writeFileSync(config, kubeconfig);
  const env = { HOME: home, PATH: home, KUBECONFIG: config };
  return new Promise((resolve) => {
    const child = execFile(
      values.kubectl,
      line,
      { cwd: home, env, timeout: lineMsMax, maxBuffer: 1e8 },
      (failure) => {
        const code = failure === null ? 0 : failure.code;
        resolve(typeof code === 'number' ? String(code) : '-');
      },
    );
    child.stdin?.end();
  });
}
