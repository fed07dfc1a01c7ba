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

/** The licenses of all that was bundled until now, as a text. @throws Error for a package without one */
export function thirdPartyLicenses(): string {
  const entries = bundledPackages().map(
    ({ name, directory, version }) => `## ${name} ${version}\n\n${licenseOf(directory)}\n`,
  );
  return ['# Licenses of what is bundled\n', ...entries].join('\n');
}

interface Manifest {
  readonly version: string;
  readonly license?: string;
  readonly author?: unknown;
}

const manifestOf = (directory: string): Manifest =>
  JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8'));

/** Some say in their manifest alone which one they have. */
function licenseOf(directory: string): string {
  const file = readdirSync(directory).find((name) => /^licen[cs]e/i.test(name));
  if (file !== undefined) return readFileSync(path.join(directory, file), 'utf8').trim();
  const { license, author } = manifestOf(directory);
  if (license === undefined) throw new Error(`${directory} is bundled and has no license`);
  return `${license}, by ${typeof author === 'string' ? author : JSON.stringify(author)}`;
}
