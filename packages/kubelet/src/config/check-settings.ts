/** Validates the kubelet's settings, with upstream's messages. */
import path from 'node:path';
import { formatDurationMs } from '@coxswain/apimachinery';
import { isPolicyName, patternFailure, policyNames } from './verification-policy.ts';
import { idsPerPodDefault, type KubeletSettings } from './kubelet-configuration.ts';

interface Check {
  readonly isWrong: (settings: KubeletSettings) => boolean;
  readonly message: (settings: KubeletSettings) => string;
}

type NumberSetting = {
  [Name in keyof KubeletSettings]: KubeletSettings[Name] extends number ? Name : never;
}[keyof KubeletSettings];

const within = (name: NumberSetting, flag: string, min: number, max: number): Check => ({
  isWrong: (settings) => settings[name] < min || settings[name] > max,
  message: (settings) => `${name} (--${flag}) ${settings[name]} must be between ${min} and ${max}, inclusive`,
});

const notNegative = (name: NumberSetting, flag: string): Check => ({
  isWrong: (settings) => settings[name] < 0,
  message: (settings) => `${name} (--${flag}) ${settings[name]} must not be a negative number`,
});

const ageNotNegative = (name: 'imageMinimumGCAge' | 'imageMaximumGCAge'): Check => ({
  isWrong: (settings) => settings[name] < 0,
  message: (settings) => `${name} ${formatDurationMs(settings[name])} must not be negative`,
});

const noneOrSecond = (name: 'shutdownGracePeriod' | 'shutdownGracePeriodCriticalPods'): Check => ({
  isWrong: (settings) => settings[name] < 0 || (settings[name] > 0 && settings[name] < 1000),
  message: (settings) =>
    `${name} ${formatDurationMs(settings[name])} must be either zero or otherwise >= 1 sec`,
});

const oneOf = (
  name: 'topologyManagerScope' | 'hairpinMode',
  choices: readonly string[],
  message: (value: string) => string,
): Check => ({
  isWrong: (settings) => !choices.includes(settings[name]),
  message: (settings) => message(settings[name]),
});

const allowlistFailure = ({
  preloadedImagesVerificationAllowlist: patterns,
}: Pick<KubeletSettings, 'preloadedImagesVerificationAllowlist'>): string | undefined =>
  patterns.map(patternFailure).find((failure) => failure !== undefined);

const policyText = policyNames
  .map((name) => JSON.stringify(name))
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' or ');

const idMax = 2 ** 32 - 1;

const idsPerPod = (isWrong: (ids: number) => boolean, rule: string): Check => ({
  isWrong: ({ userNamespaces }) => isWrong(userNamespaces.idsPerPod ?? idsPerPodDefault),
  message: () => `userNamespaces.idsPerPod must ${rule}`,
});

/** The valid range of crashLoopBackOff.maxContainerRestartPeriod. */
const restartPeriodMs = { min: 1_000, max: 300_000 };

const checks: readonly Check[] = [
  {
    isWrong: ({ nodeLeaseDurationSeconds }) => nodeLeaseDurationSeconds <= 0,
    message: () => 'nodeLeaseDurationSeconds must be greater than 0',
  },
  {
    isWrong: ({ systemCgroups, cgroupRoot }) => systemCgroups !== '' && cgroupRoot === '',
    message: () =>
      'systemCgroups (--system-cgroups) was specified and cgroupRoot (--cgroup-root) was not specified',
  },
  notNegative('eventBurst', 'event-burst'),
  notNegative('eventRecordQPS', 'event-qps'),
  within('imageGCHighThresholdPercent', 'image-gc-high-threshold', 0, 100),
  within('imageGCLowThresholdPercent', 'image-gc-low-threshold', 0, 100),
  {
    isWrong: ({ imageGCLowThresholdPercent: low, imageGCHighThresholdPercent: high }) => low >= high,
    message: ({ imageGCLowThresholdPercent: low, imageGCHighThresholdPercent: high }) =>
      `imageGCLowThresholdPercent (--image-gc-low-threshold) ${low} must be less than imageGCHighThresholdPercent (--image-gc-high-threshold) ${high}`,
  },
  ageNotNegative('imageMinimumGCAge'),
  ageNotNegative('imageMaximumGCAge'),
  {
    isWrong: ({ imageMinimumGCAge: min, imageMaximumGCAge: max }) => max > 0 && max <= min,
    message: ({ imageMinimumGCAge: min, imageMaximumGCAge: max }) =>
      `imageMaximumGCAge ${formatDurationMs(max)} must be greater than imageMinimumGCAge ${formatDurationMs(min)}`,
  },
  notNegative('kubeAPIBurst', 'kube-api-burst'),
  notNegative('kubeAPIQPS', 'kube-api-qps'),
  {
    isWrong: ({ nodeStatusMaxImages }) => nodeStatusMaxImages < -1,
    message: ({ nodeStatusMaxImages }) =>
      `nodeStatusMaxImages (--node-status-max-images) ${nodeStatusMaxImages} must be -1 or greater`,
  },
  notNegative('maxOpenFiles', 'max-open-files'),
  notNegative('maxPods', 'max-pods'),
  idsPerPod((ids) => ids < idsPerPodDefault, `not be less than ${idsPerPodDefault}`),
  idsPerPod((ids) => ids % idsPerPodDefault !== 0, `be a multiple of ${idsPerPodDefault}`),
  idsPerPod((ids) => ids > idMax, `not be more than ${idMax}`),
  within('oomScoreAdj', 'oom-score-adj', -1000, 1000),
  notNegative('podsPerCore', 'pods-per-core'),
  within('readOnlyPort', 'read-only-port', 0, 65_535),
  notNegative('registryBurst', 'registry-burst'),
  notNegative('registryPullQPS', 'registry-qps'),
  {
    isWrong: ({ maxParallelImagePulls: most }) => most !== undefined && most < 1,
    message: ({ maxParallelImagePulls: most }) => `maxParallelImagePulls ${most} must be a positive number`,
  },
  {
    isWrong: ({ maxParallelImagePulls: most, serializeImagePulls }) => serializeImagePulls && (most ?? 1) > 1,
    message: () =>
      'maxParallelImagePulls cannot be larger than 1 unless SerializeImagePulls (--serialize-image-pulls) is set to false',
  },
  oneOf(
    'topologyManagerScope',
    ['container', 'pod'],
    (value) =>
      `topologyManagerScope (--topology-manager-scope) ${JSON.stringify(value)} must be one of: "container", or "pod"`,
  ),
  {
    isWrong: ({ shutdownGracePeriodCriticalPods: critical, shutdownGracePeriod: whole }) => critical > whole,
    message: ({ shutdownGracePeriodCriticalPods: critical, shutdownGracePeriod: whole }) =>
      `shutdownGracePeriodCriticalPods ${formatDurationMs(critical)} must be <= shutdownGracePeriod ${formatDurationMs(whole)}`,
  },
  noneOrSecond('shutdownGracePeriod'),
  noneOrSecond('shutdownGracePeriodCriticalPods'),
  {
    isWrong: (settings) =>
      settings.shutdownGracePeriodByPodPriority.length > 0 &&
      (settings.shutdownGracePeriod > 0 || settings.shutdownGracePeriodCriticalPods > 0),
    message: () =>
      'Cannot specify both shutdownGracePeriodByPodPriority and shutdownGracePeriod at the same time',
  },
  oneOf(
    'hairpinMode',
    ['none', 'hairpin-veth', 'promiscuous-bridge'],
    (value) =>
      `option ${JSON.stringify(value)} specified for hairpinMode (--hairpin-mode). Valid options are "none", "hairpin-veth" or "promiscuous-bridge"`,
  ),
  {
    isWrong: ({ crashLoopBackOff: { maxContainerRestartPeriod: ms } }) =>
      ms < restartPeriodMs.min || ms > restartPeriodMs.max,
    message: ({ crashLoopBackOff }) =>
      `CrashLoopBackOff.MaxContainerRestartPeriod (got: ${crashLoopBackOff.maxContainerRestartPeriod / 1000} seconds) must be set between 1s and 300s`,
  },
  {
    isWrong: ({ containerLogMaxWorkers }) => containerLogMaxWorkers < 1,
    message: () => 'containerLogMaxWorkers must be greater than or equal to 1',
  },
  {
    isWrong: ({ containerLogMaxFiles }) => containerLogMaxFiles <= 1,
    message: () => 'containerLogMaxFiles must be greater than 1',
  },
  {
    isWrong: ({ containerLogMonitorInterval }) => containerLogMonitorInterval < 3_000,
    message: () => 'containerLogMonitorInterval must be a positive time duration greater than or equal to 3s',
  },
  {
    isWrong: ({ podLogsDir }) => podLogsDir === '',
    message: () => 'podLogsDir was not specified',
  },
  {
    isWrong: ({ podLogsDir }) => !path.isAbsolute(podLogsDir),
    message: ({ podLogsDir }) => `pod logs path ${JSON.stringify(podLogsDir)} must be absolute path`,
  },
  {
    isWrong: ({ imagePullCredentialsVerificationPolicy: policy }) => policy !== '' && !isPolicyName(policy),
    message: ({ imagePullCredentialsVerificationPolicy: policy }) =>
      `option ${JSON.stringify(policy)} specified for imagePullCredentialsVerificationPolicy. Valid options are ${policyText}`,
  },
  {
    isWrong: ({
      imagePullCredentialsVerificationPolicy: policy,
      preloadedImagesVerificationAllowlist: list,
    }) => list.length > 0 && policy !== 'NeverVerifyAllowlistedImages',
    message: () =>
      'can\'t set `preloadedImagesVerificationAllowlist` if `imagePullCredentialsVertificationPolicy` is not "NeverVerifyAllowlistedImages"',
  },
  {
    isWrong: ({ imagePullCredentialsVerificationPolicy: policy, ...settings }) =>
      policy === 'NeverVerifyAllowlistedImages' && allowlistFailure(settings) !== undefined,
    message: (settings) =>
      `invalid image pattern in \`preloadedImagesVerificationAllowlist\`: ${allowlistFailure(settings)}`,
  },
  {
    isWrong: ({ podLogsDir }) => podLogsDir !== '' && path.resolve(podLogsDir) !== podLogsDir,
    message: ({ podLogsDir }) => `pod logs path ${JSON.stringify(podLogsDir)} must be normalized`,
  },
];

/** @throws Error listing all problems */
export function checkSettings(settings: KubeletSettings): void {
  const wrong = checks
    .filter(({ isWrong }) => isWrong(settings))
    .map(({ message }) => `invalid configuration: ${message(settings)}`);
  if (wrong.length === 0) return;
  const all = wrong.length === 1 ? wrong[0] : `[${wrong.join(', ')}]`;
  throw new Error(`failed to validate kubelet configuration, error: ${all}`);
}
