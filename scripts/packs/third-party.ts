/** What bundles hold of other people's packages, and the licenses that ask to go with it. */

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Plugin } from 'rolldown';

/** Where each lies: of some packages there is more than one version. */
const folders = new Map<string, string>();

/** Notes the packages whose modules are bundled. */
export const notingPackages: Plugin = {
  name: 'noting-packages',
  transform: {
    filter: { id: /[\\/]node_modules[\\/](?!@coxswain[\\/])/ },
    handler(_code, id) {
      const [folder, name] = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id) ?? [];
      if (folder !== undefined && name !== undefined) folders.set(folder, name.replace('\\', '/'));
    },
  },
};

/** Notes one of which no module is bundled, such as fonts. @param folder where it is installed */
export function notePackage(name: string, folder: string): void {
  folders.set(folder, name);
}

/** All that was bundled until now, by name. */
export const bundledPackages = () =>
  [...folders]
    .toSorted(([, a], [, b]) => a.localeCompare(b, 'en'))
    .map(([folder, name]) => {
      const { version, license } = manifestOf(folder);
      return { name, folder, version, license };
    });

/** The licenses of all that was bundled until now, as a text. @throws Error for a package without one */
export function thirdPartyLicenses(): string {
  const entries = bundledPackages().map(
    ({ name, folder, version }) => `## ${name} ${version}\n\n${licenseOf(folder)}\n`,
  );
  return ['# Licenses of what is bundled\n', ...entries].join('\n');
}

interface Manifest {
  readonly version: string;
  readonly license?: string;
  readonly author?: unknown;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));

/** Some say in their manifest alone which one they have. */
function licenseOf(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file !== undefined) return readFileSync(path.join(folder, file), 'utf8').trim();
  const { license, author } = manifestOf(folder);
  if (license === undefined) throw new Error(`${folder} is bundled and has no license`);
  return `${license}, by ${typeof author === 'string' ? author : JSON.stringify(author)}`;
}
