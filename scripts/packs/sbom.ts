/** What a package is made of, in the form of CycloneDX 1.6: `sbom.cdx.json` in each package that is published. */

import { bundledPackages } from './third-party.ts';

interface Component {
  readonly name: string;
  readonly version: string;
  readonly license?: string | undefined;
}

/** Without a serial number and a time, so that the same sources make the same bytes. @param dependencies by name: the version that is installed beside it */
export function sbom(main: Component, dependencies: Readonly<Record<string, string>> = {}): string {
  const installed = Object.entries(dependencies).map(([name, version]) => ({ name, version }));
  const bundled = bundledPackages();
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...component('application', main), 'bom-ref': purl(main) } },
    components: [...bundled, ...installed].map((each) => ({
      ...component('library', each),
      'bom-ref': purl(each),
    })),
    dependencies: [{ ref: purl(main), dependsOn: [...bundled, ...installed].map(purl) }],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

const component = (type: string, { name, version, license }: Component): object => ({
  type,
  name,
  version,
  purl: purl({ name, version }),
  ...(license !== undefined && { licenses: [{ license: { id: license } }] }),
});

/** Of a scope, the at sign is encoded. */
const purl = ({ name, version }: Component): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;
