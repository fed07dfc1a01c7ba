/** Metrics of every program: build information and enabled features. */
import type { Metrics, Sample } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { FeatureGates } from './features/feature-gates.ts';
import { knownFeatures } from './features/known-features.ts';
import { versionInfo } from './version.ts';

export function describeProgram(
  metrics: Metrics,
  features: FeatureGates,
  gitVersion: string = versionInfo.gitVersion,
): void {
  const one = () => 1;
  const { major, minor, platform, compiler } = versionInfo;
  const build = {
    major,
    minor,
    platform,
    compiler,
    git_version: gitVersion,
    git_commit: versionInfo.gitCommit,
    git_tree_state: versionInfo.gitTreeState,
    build_date: versionInfo.buildDate,
    go_version: versionInfo.goVersion,
  };
  metrics.reading('gauge', 'kubernetes_build_info', 'What this program was built from.', build, one);
  const version = {
    binary: gitVersion.slice(1),
    component: 'kube',
    emulation: `1.${features.version.emulated}`,
    min_compat: `1.${features.version.minCompatibility}`,
  };
  metrics.reading('gauge', 'version_info', 'The versions of this program.', version, one);
  metrics.samples('gauge', 'kubernetes_feature_enabled', 'Features, and whether they are on.', () =>
    featureSamples(features),
  );
  describeValidation(metrics);
}

/** There is only one implementation of validation here, so these counters stay at zero. */
function describeValidation(metrics: Metrics): void {
  const validation = 'apiserver_validation_declarative_validation';
  metrics.counter(
    `${validation}_mismatch_total`,
    'Objects for which declarative and handwritten validation disagree.',
  );
  metrics.counter(`${validation}_panic_total`, 'Panics of declarative validation.');
}

function* featureSamples({ enabled, version }: FeatureGates): Generator<Sample> {
  const known = [...knownFeatures(version.emulated)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const [name, { stage }] of known) {
    yield { labels: { name, stage: stage === 'GA' ? '' : stage }, value: enabled(name) ? 1 : 0 };
  }
}
