/** The program's configuration: the `--config` file, or flags. Leader election flags override the file. */
import { readFileSync } from 'node:fs';
import { formatDurationMs } from '@coxswain/apimachinery';
import type { SchedulerFlags } from '../flags.ts';
import type { SchedulerConfiguration } from './configuration.ts';
import { completeConfiguration, readConfiguration, type IsFeatureOn } from './load-configuration.ts';

export type IsChanged = (flag: keyof SchedulerFlags) => boolean;

/** @throws Error if the file can't be read or is invalid */
export function programConfiguration(
  values: SchedulerFlags,
  isChanged: IsChanged,
  isFeatureOn: IsFeatureOn,
): SchedulerConfiguration {
  const stated = values.config
    ? readConfiguration(readFileSync(values.config, 'utf8'), isFeatureOn)
    : completeConfiguration(flagConfiguration(values, isChanged), isFeatureOn);
  return completeConfiguration(
    { ...stated, leaderElection: { ...stated.leaderElection, ...electionFlags(values, isChanged) } },
    isFeatureOn,
  );
}

/** Used without a file. */
const flagConfiguration = (values: SchedulerFlags, isChanged: IsChanged) => ({
  clientConnection: {
    kubeconfig: values.kubeconfig,
    qps: values.kubeApiQps,
    burst: values.kubeApiBurst,
    ...(isChanged('kubeApiContentType') && { contentType: values.kubeApiContentType }),
  },
  ...(isChanged('profiling') && { enableProfiling: values.profiling }),
  ...(isChanged('contentionProfiling') && { enableContentionProfiling: values.contentionProfiling }),
});

type Election = SchedulerConfiguration['leaderElection'];

const electionReaders: readonly (readonly [
  keyof SchedulerFlags,
  (values: SchedulerFlags) => Partial<Election>,
])[] = [
  ['leaderElect', ({ leaderElect }) => ({ leaderElect })],
  [
    'leaderElectLeaseDuration',
    (values) => ({ leaseDuration: formatDurationMs(values.leaderElectLeaseDuration) }),
  ],
  [
    'leaderElectRenewDeadline',
    (values) => ({ renewDeadline: formatDurationMs(values.leaderElectRenewDeadline) }),
  ],
  ['leaderElectRetryPeriod', (values) => ({ retryPeriod: formatDurationMs(values.leaderElectRetryPeriod) })],
  ['leaderElectResourceLock', (values) => ({ resourceLock: values.leaderElectResourceLock })],
  ['leaderElectResourceName', (values) => ({ resourceName: values.leaderElectResourceName })],
  ['leaderElectResourceNamespace', (values) => ({ resourceNamespace: values.leaderElectResourceNamespace })],
];

const electionFlags = (values: SchedulerFlags, isChanged: IsChanged): Partial<Election> =>
  Object.assign(
    {},
    ...electionReaders.filter(([flag]) => isChanged(flag)).map(([, read]) => read(values)),
  ) as Partial<Election>;
