import { expect, test } from 'vitest';
import { configurationDocument } from './configuration-document.ts';
import { configurationVersion, defaultSettings, readKubeletConfiguration } from './kubelet-configuration.ts';

const head = { apiVersion: configurationVersion, kind: 'KubeletConfiguration' };

test('a configuration file changes its settings, and the rest keep their defaults', () => {
  const settings = readKubeletConfiguration({
    ...head,
    maxPods: 20,
    syncFrequency: '1m30s',
    authentication: { anonymous: { enabled: true } },
  });
  expect(settings).toMatchObject({ maxPods: 20, syncFrequency: 90_000, port: 10_250 });
  expect(settings.authentication).toMatchObject({
    anonymous: { enabled: true },
    webhook: { enabled: true, cacheTTL: 120_000 },
  });
});

test('periods of no time at all, as kubeadm writes them, are as by default', () => {
  const settings = readKubeletConfiguration({
    ...head,
    runtimeRequestTimeout: '0s',
    authorization: { webhook: { cacheAuthorizedTTL: '0s' } },
    shutdownGracePeriod: '0s',
  });
  expect(settings).toMatchObject({ runtimeRequestTimeout: 120_000, shutdownGracePeriod: 0 });
  expect(settings.authorization.webhook.cacheAuthorizedTTL).toBe(300_000);
});

test.each([
  [{ nodeStatusUpdateFrequency: '20s' }, 20_000],
  [{ nodeStatusUpdateFrequency: '20s', nodeStatusReportFrequency: '0s' }, 20_000],
  [{ nodeStatusUpdateFrequency: '20s', nodeStatusReportFrequency: '1m' }, 60_000],
  [{ nodeStatusUpdateFrequency: '0s' }, 300_000],
])('of %j, the status of the node is told as often as it is worked out, or as said', (said, wanted) => {
  expect(readKubeletConfiguration({ ...head, ...said }).nodeStatusReportFrequency).toBe(wanted);
});

test.each([
  [{ ...head, kind: 'Other' }, 'no kind "Other" is registered for version "kubelet.config.k8s.io/v1beta1"'],
  [{ ...head, maxPod: 1 }, 'strict decoding error: unknown field "maxPod"'],
  [
    { ...head, authentication: { webhok: {} } },
    'strict decoding error: unknown field "authentication.webhok"',
  ],
  [{ ...head, maxPods: 'many' }, 'cannot unmarshal string into Go value of type int32'],
  [{ ...head, syncFrequency: 'soon' }, 'time: invalid duration "soon"'],
])('a file with a mistake is refused: %j', (document, message) => {
  expect(() => readKubeletConfiguration(document)).toThrow(message);
});

test('the effective settings are shown in the form of their file', () => {
  expect(configurationDocument(defaultSettings)).toMatchObject({
    ...head,
    syncFrequency: '1m0s',
    cpuCFSQuotaPeriod: '100ms',
    authentication: { webhook: { enabled: true, cacheTTL: '2m0s' } },
  });
});
