/**
 * Generates clients in Python and Go out of a running server's OpenAPI v2 document with openapi-generator, and uses
 * them against it. By hand, since it needs Java, Go, Python and the generator's program:
 *
 *     node scripts/node26.mjs scripts/check-generators.ts --generator openapi-generator.jar \
 *       --server https://127.0.0.1:6443 --token TOKEN [--python PROGRAM]
 *
 * The Python program needs what generated clients do: pydantic, python-dateutil, urllib3, typing-extensions.
 */

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    generator: { type: 'string' },
    server: { type: 'string' },
    token: { type: 'string', default: '' },
    python: { type: 'string', default: 'python3' },
  },
});
const { generator, server, token, python } = values;
if (generator === undefined || server === undefined) throw new Error('--generator and --server are needed');

const programs = path.join(import.meta.dirname, '../test/generators');
const directory = mkdtempSync(path.join(os.tmpdir(), 'coxswain-generators-'));
const document = path.join(directory, 'openapi.json');

try {
  writeFileSync(document, await readDocument(server, token));
  generate('python', 'python', []);
  run(directory, python, [path.join(programs, 'client.py'), path.join(directory, 'python'), server, token]);
  const naming = 'withGoMod=true,isGoSubmodule=false,enumClassPrefix=true';
  const identity = ['--git-host=example.com', '--git-user-id=user', '--git-repo-id=generated_client'];
  generate('go', 'go', [`--additional-properties=${naming}`, ...identity]);
  mkdirSync(path.join(directory, 'go/use'));
  copyFileSync(path.join(programs, 'client.go'), path.join(directory, 'go/use/main.go'));
  run(path.join(directory, 'go'), 'go', ['run', './use', server, token]);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** Only models and operations, without documentation and tests. */
function generate(language: string, target: string, more: readonly string[]): void {
  const parts = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false';
  const input = `-jar ${path.resolve(generator!)} generate -g ${language} -i ${document}`.split(' ');
  const output = `-o ${path.join(directory, target)} --package-name generated_client`.split(' ');
  run(directory, 'java', [...input, ...output, '--skip-validate-spec', '--global-property', parts, ...more]);
}

async function readDocument(address: string, bearer: string): Promise<string> {
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  const response = await fetch(`${address}/openapi/v2`, { headers: { authorization: `Bearer ${bearer}` } });
  if (!response.ok) throw new Error(`GET /openapi/v2: ${response.status}`);
  return response.text();
}

function run(cwd: string, program: string, args: readonly string[]): void {
  const output = execFileSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (program !== 'java') console.log(output.trim());
}
