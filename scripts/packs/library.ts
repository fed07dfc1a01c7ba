/**
 * Makes `lib/library.pack`, what users import in one file with the bytecode of what clusters of tests run, and the doors
 * to it: `lib/library.cjs`, which reads it, and for `require`, `import`, jest and vitest those that go through that one.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import type { Beginning } from '../../packages/coxswain/src/testing/beginnings.ts';
import {
  kindOf,
  makeBeginning,
  type CreateClusterOptions,
} from '../../packages/coxswain/src/testing/create-cluster.ts';
import { saveBeginnings } from '../../packages/coxswain/src/testing/saved-beginnings.ts';
import { bundledPack, warmedUp, type PackOptions } from './bundled-pack.ts';

/** What users import, and where it begins. */
const modules = {
  index: 'packages/coxswain/src/index.ts',
  testing: 'packages/coxswain/src/testing/index.ts',
} as const;

export async function buildLibraryPack(options: PackOptions): Promise<void> {
  const { folder } = options;
  await saveUsualBeginnings(path.join(folder, 'lib/beginnings'));
  const file = await bundledPack('library', modules, { ...options, keepsLines: true });
  const home = await mkdtemp(path.join(os.tmpdir(), 'coxswain-build-'));
  try {
    await warmedUp(file, 'library-warm-up.ts', home, {});
  } finally {
    await rm(home, { recursive: true, force: true });
  }
  const write = (name: string, text: string) => writeFile(path.join(folder, 'lib', name), text);
  await write('library.cjs', pack);
  const { openPack } = createRequire(import.meta.url)('../../packages/coxswain/bin/kubectl.cjs');
  const { load } = openPack(file);
  for (const name of Object.keys(modules)) {
    await write(`${name}.cjs`, forRequire(name));
    await write(`${name}.mjs`, forImport(name, Object.keys(load(`${name}.cjs`))));
  }
  for (const [name, text] of Object.entries(matcherDoors)) await write(name, text);
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
 * for these the modules are compiled in theirs.
 */
const pack = `'use strict';
const path = require('node:path');
const vm = require('node:vm');
const { whyTooOld } = require('../bin/oldest-node.cjs');
if (whyTooOld() !== undefined) throw new Error(whyTooOld());
const { openPack } = require('../bin/kubectl.cjs');
const inThisRealm = (source, filename) =>
  new Function('exports', 'require', 'module', '__filename', '__dirname', \`\${source}\\n//# sourceURL=\${filename}\`);
const isOwnGlobal = vm.runInThisContext('Object') === Object;
module.exports = openPack(path.join(__dirname, 'library.pack'), isOwnGlobal, isOwnGlobal ? undefined : inThisRealm);
`;

const forRequire = (name: string): string => `'use strict';
module.exports = require('./library.cjs').load('${name}.cjs');
`;

const forImport = (name: string, exported: readonly string[]): string => `import ${name} from './${name}.cjs';
export const { ${exported.join(', ')} } = ${name};
`;

const matcherDoors = {
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
};
