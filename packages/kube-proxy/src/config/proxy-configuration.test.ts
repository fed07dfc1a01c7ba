import { expect, test } from 'vitest';
import { problemsOf } from './check-configuration.ts';
import { configurationDocument, defaultSettings, readProxyConfiguration } from './proxy-configuration.ts';

const header = { kind: 'KubeProxyConfiguration', apiVersion: 'kubeproxy.config.k8s.io/v1alpha1' };
const read = (fields: object) => readProxyConfiguration({ ...header, ...fields }, () => {});

test('what a file leaves out is as by default, and the defaults are fine', () => {
  expect(read({})).toEqual(defaultSettings);
  expect(problemsOf(defaultSettings)).toEqual([]);
  expect(read({ nftables: { minSyncPeriod: '3s' } }).nftables).toMatchObject({
    minSyncPeriod: 3_000,
    syncPeriod: 30_000,
    masqueradeBit: 14,
  });
});

test('servers listen on the family of the bind address, on their ports when none is given', () => {
  expect(read({ bindAddress: '::', metricsBindAddress: '192.0.2.1' })).toMatchObject({
    healthzBindAddress: '[::]:10256',
    metricsBindAddress: '192.0.2.1:10249',
  });
});

test('what is told of the settings can be read again', () => {
  const settings = read({ conntrack: { udpTimeout: '30s' }, mode: 'nftables' });

  expect(readProxyConfiguration(configurationDocument(settings), () => {})).toEqual(settings);
});

test('fields that there are not are told and passed over; other documents are refused', () => {
  const warnings: string[] = [];
  const settings = readProxyConfiguration({ ...header, mode: 'nftables', nope: 1 }, (text) =>
    warnings.push(text),
  );

  expect(settings.mode).toBe('nftables');
  expect(warnings).toEqual([expect.stringContaining('unknown field "nope"')]);
  expect(() => readProxyConfiguration({ kind: 'Pod' }, () => {})).toThrow(/no kind "Pod"/);
  expect(() => read({ nftables: { masqueradeBit: 'x' } })).toThrow(/cannot unmarshal string/);
});

test.each([
  [
    { nftables: { masqueradeBit: 32 } },
    'KubeProxyNFTablesConfiguration.MasqueradeBit: Invalid value: 32: must be within the range [0, 31]',
  ],
  [{ mode: 'magic' }, 'Mode.ProxyMode: Invalid value: "magic": must be iptables'],
  [
    { nodePortAddresses: ['primary', '10.0.0.0/8'] },
    `NodePortAddresses[0]: Invalid value: "primary": can't use both`,
  ],
  [{ nodePortAddresses: ['here'] }, 'NodePortAddresses[0]: Invalid value: "here": must be a valid CIDR'],
  [{ healthzBindAddress: 'x:y' }, 'HealthzBindAddress: Invalid value: "x": must be a valid IP'],
  [
    { detectLocalMode: 'BridgeInterface' },
    'DetectLocalConfiguration.InterfaceName: Invalid value: "": must not be empty',
  ],
  [{ clusterCIDR: '10.0.0.0/8,10.1.0.0/16' }, 'DetectLocalConfiguration.ClusterCIDRs: Invalid value'],
  [{ oomScoreAdj: 2000 }, 'OOMScoreAdj: Invalid value: 2000: must be within the range [-1000, 1000]'],
])('%o is refused as by the original', (fields, text) => {
  expect(problemsOf(read(fields)).join('\n')).toContain(text);
});

test('periods of no time at all, as kubeadm writes them, are as by default', () => {
  const none = { syncPeriod: '0s', minSyncPeriod: '0s' };
  expect(read({ nftables: none, configSyncPeriod: '0s' })).toMatchObject({
    nftables: { syncPeriod: 30_000, minSyncPeriod: 1_000 },
    configSyncPeriod: 900_000,
  });
});
