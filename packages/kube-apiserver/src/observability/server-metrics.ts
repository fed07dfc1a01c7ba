/** Metrics about the server as a whole; read when somebody asks. */
import type { FeatureGates } from '../groups/services.ts';
import type { Metrics, Sample } from '@coxswain/apiserver/metrics/metrics.ts';
import { knownFeatures } from '../features/known-features.ts';
import type { StoreTable } from '../groups/install.ts';
import { versionInfo } from '../version.ts';

export function describeServer(metrics: Metrics, features: FeatureGates, stores: StoreTable): void {
  const { major, minor, gitVersion, gitCommit, gitTreeState, buildDate, goVersion, compiler, platform } =
    versionInfo;
  const build = {
    major,
    minor,
    git_version: gitVersion,
    git_commit: gitCommit,
    git_tree_state: gitTreeState,
    build_date: buildDate,
    go_version: goVersion,
    compiler,
    platform,
  };
  metrics.reading('gauge', 'kubernetes_build_info', 'What this server was built from.', build, () => 1);
  const version = {
    binary: gitVersion.slice(1),
    component: 'kube',
    emulation: `${versionInfo.emulationMajor}.${versionInfo.emulationMinor}`,
    min_compat: `${versionInfo.minCompatibilityMajor}.${versionInfo.minCompatibilityMinor}`,
  };
  metrics.reading('gauge', 'version_info', 'The versions of this server.', version, () => 1);
  metrics.samples('gauge', 'kubernetes_feature_enabled', 'Features, and whether they are on.', () =>
    featureSamples(features),
  );
  metrics.samples('gauge', 'apiserver_storage_objects', 'Objects in the store, by resource.', () =>
    objectCounts(stores, ({ group, resource }) => ({ resource: nameOf(group, resource) })),
  );
  metrics.samples('gauge', 'apiserver_resource_objects', 'Objects in the store, by group and resource.', () =>
    objectCounts(stores, (resource) => resource),
  );
}

function* featureSamples({ enabled }: FeatureGates): Generator<Sample> {
  for (const name of [...knownFeatures().keys()].sort()) {
    const { stage } = knownFeatures().get(name)!;
    yield { labels: { name, stage: stage === 'GA' ? '' : stage }, value: enabled(name) ? 1 : 0 };
  }
}

type NamedResource = Readonly<Record<'group' | 'resource', string>>;

function* objectCounts(
  stores: StoreTable,
  labelsOf: (resource: NamedResource) => Readonly<Record<string, string>>,
): Generator<Sample> {
  for (const { main } of stores.all()) {
    const { group, resource } = main.resource;
    yield { labels: labelsOf({ group, resource }), value: main.cache.size };
  }
}

const nameOf = (group: string, resource: string): string =>
  group === '' ? resource : `${resource}.${group}`;
