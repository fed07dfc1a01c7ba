/** What a package is made of, in the form of CycloneDX 1.6: `sbom.cdx.json` in each package that is published. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { bundledPackages } from './third-party.ts';

interface Component {
  readonly name: string;
  readonly version: string;
  readonly license?: string | undefined;
}

/** Without a serial number and a time, so that the same sources make the same bytes. @param dependencies by name: the version that is installed beside it */
export function sbom(main: Component, dependencies: Readonly<Record<string, string>> = {}): string {
  const licenseOf = lockedLicenses();
  const installed = Object.entries(dependencies).map(([name, version]) => ({
    name,
    version,
    license: licenseOf(name),
  }));
  const components = distinct([...bundledPackages(), ...installed]);
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...component('application', main), 'bom-ref': purl(main) } },
    components: components.map((each) => ({ ...component('library', each), 'bom-ref': purl(each) })),
    dependencies: [{ ref: purl(main), dependsOn: components.map(purl) }],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

interface Locked {
  readonly license?: string;
  /** Where the package is, if it is one of ours. */
  readonly resolved?: string;
}

/** npm does not install what is for other platforms, but its lock file knows their licenses, too. */
function lockedLicenses(): (name: string) => string | undefined {
  const file = path.join(import.meta.dirname, '../../package-lock.json');
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> };
  return (name) => {
    const installed = packages[`node_modules/${name}`];
    return installed?.license ?? packages[installed?.resolved ?? '']?.license;
  };
}

/**
 * With the Node in which the executable runs, and what that Node is made of.
 * @param text of {@link sbom}
 * @param versions as in `process.versions`
 */
export function withNode(text: string, versions: NodeJS.ProcessVersions): string {
  const document = JSON.parse(text) as Sbom;
  const parts = Object.entries(versions).flatMap(([name, version]) =>
    // What it was built without has no version.
    !version || notComponents.has(name) ? [] : { name, version },
  );
  const components = parts.map(({ name, version }) => {
    const reference = `pkg:generic/${name}@${encodeURIComponent(version)}`;
    const type = name === 'node' ? 'platform' : 'library';
    return { type, name, version, purl: reference, 'bom-ref': reference };
  });
  const [main, ...others] = document.dependencies;
  const added = {
    ...document,
    components: [...document.components, ...components],
    dependencies: [
      { ref: main!.ref, dependsOn: [...main!.dependsOn, components[0]!['bom-ref']] },
      ...others,
      { ref: components[0]!['bom-ref'], dependsOn: components.slice(1).map((each) => each['bom-ref']) },
    ],
  };
  return `${JSON.stringify(added, undefined, 2)}\n`;
}

interface Sbom {
  readonly components: readonly object[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Versions of interfaces and of tables that come with a component. */
const notComponents: ReadonlySet<string> = new Set(['modules', 'napi', 'unicode', 'cldr', 'tz']);

/** What one bundle holds and another leaves to npm is one component. */
const distinct = (components: readonly Component[]): readonly Component[] =>
  components.filter((each, at) => components.findIndex((other) => purl(other) === purl(each)) === at);

const component = (type: string, { name, version, license }: Component): object => ({
  type,
  name,
  version,
  purl: purl({ name, version }),
  ...(license !== undefined && { licenses: [licenseChoice(license)] }),
});

/** Licenses that are joined are an expression, in the words of SPDX. */
const licenseChoice = (license: string): object =>
  /\s/.test(license) ? { expression: license } : { license: { id: license } };

/** Of a scope, the at sign is encoded. */
const purl = ({ name, version }: Component): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;
