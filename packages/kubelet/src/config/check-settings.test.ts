import { expect, test } from 'vitest';
import { checkSettings } from './check-settings.ts';
import { defaultSettings, type KubeletSettings } from './kubelet-configuration.ts';

test('the defaults hold', () => {
  expect(() => checkSettings(defaultSettings)).not.toThrow();
});

test.each<[Partial<KubeletSettings>, string]>([
  [
    { imageGCLowThresholdPercent: 90 },
    'imageGCLowThresholdPercent (--image-gc-low-threshold) 90 must be less than imageGCHighThresholdPercent (--image-gc-high-threshold) 85',
  ],
  [{ oomScoreAdj: 1001 }, 'oomScoreAdj (--oom-score-adj) 1001 must be between -1000 and 1000, inclusive'],
  [{ userNamespaces: { idsPerPod: 0 } }, 'userNamespaces.idsPerPod must not be less than 65536'],
  [{ userNamespaces: { idsPerPod: 65_537 } }, 'userNamespaces.idsPerPod must be a multiple of 65536'],
  [{ userNamespaces: { idsPerPod: 2 ** 32 } }, 'userNamespaces.idsPerPod must not be more than 4294967295'],
  [{ maxPods: -1 }, 'maxPods (--max-pods) -1 must not be a negative number'],
  [
    { shutdownGracePeriodCriticalPods: 5_000 },
    'shutdownGracePeriodCriticalPods 5s must be <= shutdownGracePeriod 0s',
  ],
  [{ shutdownGracePeriod: 500 }, 'shutdownGracePeriod 500ms must be either zero or otherwise >= 1 sec'],
  [{ containerLogMaxFiles: 1 }, 'containerLogMaxFiles must be greater than 1'],
  [{ imageMaximumGCAge: 60_000 }, 'imageMaximumGCAge 1m0s must be greater than imageMinimumGCAge 2m0s'],
  [
    { imagePullCredentialsVerificationPolicy: 'Sometimes' },
    'option "Sometimes" specified for imagePullCredentialsVerificationPolicy. Valid options are "NeverVerify", "NeverVerifyPreloadedImages", "NeverVerifyAllowlistedImages" or "AlwaysVerify"',
  ],
  [
    {
      imagePullCredentialsVerificationPolicy: 'NeverVerifyAllowlistedImages',
      preloadedImagesVerificationAllowlist: ['a/*', 'b:v1'],
    },
    'invalid image pattern in `preloadedImagesVerificationAllowlist`: neither tag nor digest is accepted in an image reference: b:v1',
  ],
  [{ podLogsDir: 'logs' }, 'pod logs path "logs" must be absolute path'],
])('%j is refused', (change, message) => {
  expect(() => checkSettings({ ...defaultSettings, ...change })).toThrow(`invalid configuration: ${message}`);
});

test('all problems are reported at once', () => {
  const wrong = { ...defaultSettings, containerLogMaxFiles: 0, containerLogMonitorInterval: 1 };
  expect(() => checkSettings(wrong)).toThrow(
    'failed to validate kubelet configuration, error: [invalid configuration: containerLogMaxFiles must be greater than 1, invalid configuration: containerLogMonitorInterval must be',
  );
});
