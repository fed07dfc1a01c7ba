/**
 * What registries demand of the clients' manifests and what only a release knows: where the sources are. npm compares it with
 * the statement of provenance, Maven Central refuses a project without it, crates.io and PyPI show it.
 */

/** @param url of the repository, without a final slash */
export type AddRepository = (manifest: string, url: string) => string;

/** By the manifest's path in the repository. */
export const clientManifests: Readonly<Record<string, AddRepository>> = {
  'clients/testcontainers-node/package.json': (manifest, url) => {
    const directory = 'clients/testcontainers-node';
    const repository = { type: 'git', url: `git+${url}.git`, directory };
    return `${JSON.stringify({ ...(JSON.parse(manifest) as object), repository }, undefined, 2)}\n`;
  },
  'clients/python/pyproject.toml': (manifest, url) =>
    inserted(
      manifest,
      '[project.entry-points',
      `[project.urls]
Source = "${url}"
Issues = "${url}/issues"
Changelog = "${url}/blob/main/CHANGELOG.md"

`,
    ),
  'clients/rust/Cargo.toml': (manifest, url) =>
    inserted(manifest, '\n[dependencies]', `repository = "${url}"\n`),
  'clients/java/pom.xml': (manifest, url) =>
    inserted(
      manifest,
      '  <properties>',
      `  <url>${url}</url>
  <scm>
    <url>${url}</url>
    <connection>scm:git:${url}.git</connection>
    <developerConnection>scm:git:${url}.git</developerConnection>
  </scm>
`,
    ),
};

function inserted(text: string, before: string, added: string): string {
  const at = text.indexOf(before);
  if (at < 0) throw new Error(`the manifest has no ${before.trim()}`);
  return text.slice(0, at) + added + text.slice(at);
}
