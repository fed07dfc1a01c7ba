/**
 * Makes `lib/testing.pack`, the test library in one file with the bytecode of what clusters of tests run, and the
 * doors to it: `lib/testing.cjs`, which reads it, and for `import`, for jest and for vitest, which go through that one.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import type { Beginning } from '../../packages/coxswain/src/testing/beginnings.ts';
import { kindOf, makeBeginning } from '../../packages/coxswain/src/testing/create-cluster.ts';
import type { CreateClusterOptions } from '../../packages/coxswain/src/testing/create-cluster.ts';
import { saveBeginnings } from '../../packages/coxswain/src/testing/saved-beginnings.ts';
import { pinnedMajor } from '../../packages/coxswain/bin/node.mjs';
import { bundledPack, warmedUp } from './bundled-pack.ts';
import type { PackOptions } from './bundled-pack.ts';

export async function buildTestingPack(options: PackOptions): Promise<void> {
  const { folder } = options;
  await saveUsualBeginnings(path.join(folder, 'lib/beginnings'));
  const file = await bundledPack('testing', 'packages/coxswain/src/testing/index.ts', {
    ...options,
    keepsLines: true,
  });
  const home = await mkdtemp(path.join(os.tmpdir(), 'coxswain-build-'));
  try {
    await warmedUp(file, 'testing-warm-up.ts', home, {});
  } finally {
    await rm(home, { recursive: true, force: true });
  }
  const { openPack } = createRequire(import.meta.url)('../../packages/coxswain/bin/kubectl.cjs');
  const names = Object.keys(openPack(file).load('testing.cjs'));
  for (const [name, text] of Object.entries(doors(names)))
    await writeFile(path.join(folder, 'lib', name), text);
}

/** What tests ask for most often begins with what lies in the package. */
const usual: readonly CreateClusterOptions[] = [
  {},
  ...[0, 2, 3, 5].map((nodes) => ({ nodes })),
  ...[0, 1].map((nodes) => ({ controllers: false as const, nodes })),
  { controllers: false, nodes: 0, scheduler: false },
];

/** Before the bytecode is made: so it is that of clusters which begin with them. */
async function saveUsualBeginnings(folder: string): Promise<void> {
  const made: Record<string, Beginning> = {};
  for (const options of usual) made[kindOf(options)] = await makeBeginning(options);
  await saveBeginnings(folder, made);
}

/**
 * Some test runners have a global object of their own, to which those of another one are no `Array` and no `Error`:
 * for these the modules are compiled in theirs. Whoever has an older Node hears it before anything else fails.
 */
const doors = (names: readonly string[]): Readonly<Record<string, string>> => ({
  'testing.cjs': `'use strict';
const path = require('node:path');
const vm = require('node:vm');
if (Number.parseInt(process.versions.node, 10) < ${pinnedMajor}) {
  throw new Error(
    \`coxswain/testing runs in the process of your tests, which needs Node ${pinnedMajor} or newer; this is \${process.version}. Run them with such a Node, or start "npx coxswain test-server", which brings its own, and talk to that.\`,
  );
}
const { openPack } = require('../bin/kubectl.cjs');
const inThisRealm = (source, filename) =>
  new Function('exports', 'require', 'module', '__filename', '__dirname', \`\${source}\\n//# sourceURL=\${filename}\`);
const isOwnGlobal = vm.runInThisContext('Object') === Object;
module.exports = openPack(path.join(__dirname, 'testing.pack'), isOwnGlobal, isOwnGlobal ? undefined : inThisRealm).load('testing.cjs');
`,
  'testing.mjs': `import testing from './testing.cjs';
export const { ${names.join(', ')} } = testing;
`,
  'testing-jest.cjs': `'use strict';
const { matchers } = require('./testing.cjs');
if (typeof expect === 'undefined') {
  throw new Error('coxswain/testing/jest needs the global expect of jest; extend another one with \`matchers\`');
}
expect.extend(matchers);
`,
  'testing-jest.mjs': "import './testing-jest.cjs';\n",
  'testing-vitest.mjs': `import { expect } from 'vitest';
import { matchers } from './testing.mjs';
expect.extend(matchers);
`,
});
