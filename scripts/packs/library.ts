/**
 * Makes the doors to what users import: `lib/library.cjs`, which reads the pack, and for `require`, `import`, jest and vitest
 * those that go through that one; and what clusters of tests begin with.
 */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Beginning } from '../../packages/coxswain/src/testing/beginnings.ts';
import {
  kindOf,
  makeBeginning,
  type CreateClusterOptions,
} from '../../packages/coxswain/src/testing/create-cluster.ts';
import { saveBeginnings } from '../../packages/coxswain/src/testing/saved-beginnings.ts';

/** @param directory the package that is being made @param exported by file of the pack */
export async function writeLibraryDoors(
  directory: string,
  exported: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const write = (name: string, text: string) => writeFile(path.join(directory, 'lib', name), text);
  await write('library.cjs', library);
  for (const name of ['index', 'testing']) {
    await write(`${name}.cjs`, forRequire(name));
    await write(`${name}.mjs`, forImport(name, exported.get(`${name}.cjs`) ?? []));
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

/** @param directory where they go */
export async function saveUsualBeginnings(directory: string): Promise<void> {
  const made: Record<string, Beginning> = {};
  for (const options of usual) made[kindOf(options)] = await makeBeginning(options);
  await saveBeginnings(directory, made);
}

/**
 * Some test runners have a global object of their own, to which those of another one are no `Array` and no `Error`:
 * for these the modules are compiled in theirs.
 */
const library = `'use strict';
const vm = require('node:vm');
const { whyTooOld } = require('../bin/oldest-node.cjs');
if (whyTooOld() !== undefined) throw new Error(whyTooOld());
const { openPack } = require('../bin/pack.cjs');
const inThisRealm = (source, filename) =>
  new Function('exports', 'require', 'module', '__filename', '__dirname', \`\${source}\\n//# sourceURL=\${filename}\`);
const isOwnGlobal = vm.runInThisContext('Object') === Object;
module.exports = openPack('library', isOwnGlobal ? undefined : inThisRealm);
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
