/** The configuration from command line options, used without a configuration file. */
import type { KubeProxyFlags } from '../flags.ts';
import { defaultSettings, type ProxySettings } from './proxy-configuration.ts';

/** @param isGiven whether an option was on the command line */
export function settingsOfFlags(
  values: KubeProxyFlags,
  isGiven: (name: keyof KubeProxyFlags) => boolean,
): ProxySettings {
  const { iptablesSyncPeriod: syncPeriod, iptablesMinSyncPeriod: minSyncPeriod } = values;
  const rules = {
    masqueradeBit: defaultSettings.nftables.masqueradeBit,
    masqueradeAll: values.masqueradeAll,
  };
  const periods = {
    syncPeriod: isGiven('iptablesSyncPeriod') ? syncPeriod : defaultSettings.nftables.syncPeriod,
    minSyncPeriod: isGiven('iptablesMinSyncPeriod') ? minSyncPeriod : defaultSettings.nftables.minSyncPeriod,
  };
  return {
    ...defaultSettings,
    clientConnection: {
      ...defaultSettings.clientConnection,
      kubeconfig: values.kubeconfig,
      contentType: values.kubeApiContentType,
      qps: values.kubeApiQps,
      burst: values.kubeApiBurst,
    },
    bindAddress: values.bindAddress,
    healthzBindAddress: values.healthzPort === 0 ? '' : values.healthzBindAddress,
    metricsBindAddress: values.metricsPort === 0 ? '' : values.metricsBindAddress,
    bindAddressHardFail: values.bindAddressHardFail,
    enableProfiling: values.profiling,
    mode: values.proxyMode,
    iptables: { ...defaultSettings.iptables, masqueradeBit: values.iptablesMasqueradeBit, ...periods },
    nftables: { ...rules, ...periods },
    detectLocalMode: values.detectLocalMode,
    detectLocal: {
      bridgeInterface: values.podBridgeInterface,
      interfaceNamePrefix: values.podInterfaceNamePrefix,
    },
    clusterCIDR: values.clusterCidr,
    nodePortAddresses: values.nodeportAddresses,
    oomScoreAdj: values.oomScoreAdj,
    conntrack: {
      maxPerCore: values.conntrackMaxPerCore,
      min: values.conntrackMin,
      tcpEstablishedTimeout: values.conntrackTcpTimeoutEstablished,
      tcpCloseWaitTimeout: values.conntrackTcpTimeoutCloseWait,
      tcpBeLiberal: values.conntrackTcpBeLiberal,
      udpTimeout: values.conntrackUdpTimeout,
      udpStreamTimeout: values.conntrackUdpTimeoutStream,
    },
    configSyncPeriod: values.configSyncPeriod,
  };
}
