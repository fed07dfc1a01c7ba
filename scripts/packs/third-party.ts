/** What bundles hold of other people's packages, and the licenses that ask to go with it. */

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'rolldown';

/** Where each lies: of some packages there is more than one version. */
const directories = new Map<string, string>();

/** Notes the packages whose modules are bundled. */
export const notingPackages: Plugin = {
  name: 'noting-packages',
  transform: {
    filter: { id: /[\\/]node_modules[\\/](?!@coxswain[\\/])/ },
    handler(_code, id) {
      const [directory, name] = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id) ?? [];
      if (directory !== undefined && name !== undefined) directories.set(directory, name.replace('\\', '/'));
    },
  },
};

/** Notes one of which no module is bundled, such as fonts. @param directory where it is installed */
export function notePackage(name: string, directory: string): void {
  directories.set(directory, name);
}

/** All that was bundled until now, by name. */
export const bundledPackages = () =>
  [...directories]
    .toSorted(([, a], [, b]) => a.localeCompare(b, 'en'))
    .map(([directory, name]) => {
      const { version, license } = manifestOf(directory);
      return { name, directory, version, license };
    });

/**
 * The licenses of all that was bundled until now, as a text.
 *
 * @throws Error for a package whose license is not among the permissive ones below
 */
export function thirdPartyLicenses(): string {
  const entries = bundledPackages().map(
    ({ name, directory, version, license = '' }) =>
      `## ${name} ${version}\n\n${licenseTexts(directory, license).join('\n\n')}\n`,
  );
  return ['# Licenses of what is bundled\n', ...entries].join('\n');
}

interface Manifest {
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
}

const manifestOf = (directory: string): Manifest =>
  JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8'));

/** They ask for no more than their text and the copyright, in identifiers of SPDX. */
const permissive: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Zlib',
]);

/** Of the package and of what it holds of others: LMDB's is in a directory of `lmdb`. */
function licenseTexts(directory: string, license: string): readonly string[] {
  const unknown = license.split(/[\s()]+|AND/).filter((id) => id !== '' && !permissive.has(id));
  if (license === '' || unknown.length > 0)
    throw new Error(`${directory} is bundled, and its license is ${license || 'not named'}`);
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(?!.*node_modules).*\b(?:licen[cs]e|notice|copying|copyright(?:notice)?)(?:\.(?:md|txt))?$/i.test(file),
  );
  const texts = files
    .toSorted((a, b) => depth(a) - depth(b) || a.localeCompare(b, 'en'))
    .map((file) => readFileSync(path.join(directory, file), 'utf8').trim());
  return texts.length > 0 ? [...new Set(texts)] : [textOf(license, directory)];
}

const depth = (file: string): number => file.split(path.sep).length;

/** Of a package that has no file of its license. @throws Error for a license whose text is not known */
function textOf(license: string, directory: string): string {
  const { author } = manifestOf(directory);
  const holder = typeof author === 'object' ? author.name : author;
  if (license === 'Apache-2.0') return `Copyright ${holder}\n\n${read('../../LICENSE')}`;
  if (license === 'MIT') return `Copyright (c) ${holder}\n\n${read('mit-license.txt')}`;
  throw new Error(`${directory} is bundled without the text of its license, ${license}`);
}

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, file), 'utf8').trim();
