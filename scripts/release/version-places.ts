/** Where the version of the packages stands, beside their manifests: what comes before it is in the first group. */

const number = String.raw`\d+\.\d+\.\d+`;
const assigned = new RegExp(`^(version = ")${number}`, 'm');
const ofImage = new RegExp(`(coxswain:)${number}`);
const banner = new RegExp(`(Coxswain )${number}(?=:)`);

export const versionPlaces: readonly (readonly [file: string, place: RegExp])[] = [
  ['packages/coxswain/src/program/version.ts', new RegExp(`(coxswainVersion = ')${number}`)],
  ['packages/create-coxswain/template/package.json', new RegExp(`(coxswain(?:/\\w+)?": "\\^)${number}`, 'g')],
  ['packaging/devcontainer/devcontainer-feature.json', new RegExp(`("version": ")${number}`)],
  ['packaging/helm/coxswain/Chart.yaml', new RegExp(`^((?:version|appVersion): )${number}`, 'gm')],
  ['packaging/homebrew/coxswain.rb', new RegExp(`(coxswain-|version ")${number}`, 'g')],
  ['clients/java/pom.xml', new RegExp(`(<artifactId>coxswain-[\\w-]+</artifactId>\\s*<version>)${number}`)],
  ['clients/python/pyproject.toml', assigned],
  ['clients/rust/Cargo.toml', assigned],
  ['clients/testcontainers-node/package.json', new RegExp(`("version": ")${number}`)],
  ['clients/README.md', new RegExp(`(coxswain:)${number}`, 'g')],
  ['docs/start/install.md', ofImage],
  ['docs/zh/start/install.md', ofImage],
  ['README.md', banner],
  ['README.zh.md', banner],
];
