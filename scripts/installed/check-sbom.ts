/** Whether the SBOM of an installed package names all that its bundles hold, as their source maps tell, and all that npm installs, with licenses. */

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

interface Sbom {
  readonly bomFormat: string;
  readonly components: readonly {
    readonly name: string;
    readonly 'bom-ref': string;
    readonly licenses?: unknown;
  }[];
}

/** @param installed the directory of the package @throws Error that names what is missing, or there twice */
export function checkSbom(installed: string): void {
  const read = (file: string): unknown => JSON.parse(readFileSync(path.join(installed, file), 'utf8'));
  const { bomFormat, components } = read('sbom.cdx.json') as Sbom;
  if (bomFormat !== 'CycloneDX') throw new Error(`the SBOM is of the form ${bomFormat}`);
  const references = components.map((component) => component['bom-ref']);
  const twice = references.filter((reference, at) => references.indexOf(reference) !== at);
  if (twice.length > 0) throw new Error(`the SBOM names twice: ${twice.join()}`);
  const unlicensed = components.filter(({ licenses }) => licenses === undefined);
  if (unlicensed.length > 0)
    throw new Error(`the SBOM names no license of ${unlicensed.map(({ name }) => name).join()}`);

  const { dependencies = {}, optionalDependencies = {} } = read('package.json') as Manifest;
  const needed = [
    ...bundledIn(path.join(installed, 'lib')),
    ...Object.keys({ ...dependencies, ...optionalDependencies }),
  ];
  const named = new Set(components.map(({ name }) => name));
  const missing = [...new Set(needed)].filter((name) => !named.has(name));
  if (missing.length > 0) throw new Error(`the SBOM does not name ${missing.join()}`);
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function bundledIn(lib: string): readonly string[] {
  const maps = readdirSync(lib).filter((name) => name.endsWith('.map.gz'));
  const names = maps.flatMap((name) => {
    const { sources } = JSON.parse(gunzipSync(readFileSync(path.join(lib, name))).toString()) as {
      readonly sources: readonly string[];
    };
    return sources.flatMap(
      (source) => /.*node_modules\/(?!@coxswain\/)((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? [],
    );
  });
  if (names.length === 0) throw new Error(`${lib} has no source maps that name other people's packages`);
  return names;
}
