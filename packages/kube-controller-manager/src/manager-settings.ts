/** Converts the program's flags to settings of its controllers. */
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { statedFeatures } from '@coxswain/component-base/features/stated-features.ts';
import type { SigningPair, ControllerSettings, NodeRangeSettings } from './settings.ts';
import { signerNames } from './certificates/certificate-request.ts';
import type { ManagerFlags } from './flags.ts';
import { readPodTemplate } from './persistentvolume/pod-template-file.ts';

/** @throws Error with upstream's message for contradictory flags, and for files that can't be read */
export const settingsOf = (values: ManagerFlags): Partial<ControllerSettings> => ({
  ...(values.rootCaFile === '' ? {} : { rootCertificateAuthority: readFileSync(values.rootCaFile, 'utf8') }),
  ...(values.serviceAccountPrivateKeyFile === ''
    ? {}
    : { serviceAccountKey: fileReader(values.serviceAccountPrivateKeyFile) }),
  signingPairs: signingPairsOf(values),
  signingLifetimeMs: values.clusterSigningDuration,
  legacyTokenIdleMsMax: values.legacyServiceAccountTokenCleanUpPeriod,
  mirroredEndpointsMax: values.mirroringMaxEndpointsPerSubset,
  allocatesNodeRanges: values.allocateNodeCidrs,
  nodeRanges: nodeRangesOf(values),
  autoscaler: {
    syncPeriodMs: values.horizontalPodAutoscalerSyncPeriod,
    downscaleStabilizationMs: values.horizontalPodAutoscalerDownscaleStabilization,
    tolerance: values.horizontalPodAutoscalerTolerance,
    cpuInitializationMs: values.horizontalPodAutoscalerCpuInitializationPeriod,
    initialReadinessMs: values.horizontalPodAutoscalerInitialReadinessDelay,
  },
  nodeMonitorPeriodMs: values.nodeMonitorPeriod,
  nodeMonitorGracePeriodMs: values.nodeMonitorGracePeriod,
  nodeStartupGracePeriodMs: values.nodeStartupGracePeriod,
  nodeEvictionRates: {
    usual: values.nodeEvictionRate,
    secondary: values.secondaryNodeEvictionRate,
    unhealthyShare: values.unhealthyZoneThreshold,
    largeZoneNodes: values.largeClusterSizeThreshold,
  },
  terminatedPodsMax: values.terminatedPodGcThreshold,
  recyclers: recyclersOf(values),
  resourceQuotaSyncPeriodMs: values.resourceQuotaSyncPeriod,
  enableGarbageCollector: values.enableGarbageCollector,
  isFeatureOn: statedFeatures(values).enabled,
  removeDirectory: (path) => rm(path, { recursive: true, force: true }),
});

const recyclersOf = (values: ManagerFlags): ControllerSettings['recyclers'] => ({
  hostPath: {
    secondsMin: values.pvRecyclerMinimumTimeoutHostpath,
    secondsPerGibibyte: values.pvRecyclerTimeoutIncrementHostpath,
    ...readPodTemplate(values.pvRecyclerPodTemplateFilepathHostpath),
  },
  nfs: {
    secondsMin: values.pvRecyclerMinimumTimeoutNfs,
    secondsPerGibibyte: values.pvRecyclerIncrementTimeoutNfs,
    ...readPodTemplate(values.pvRecyclerPodTemplateFilepathNfs),
  },
});

export interface SigningFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** If any signer has its own files, the common ones are not used. */
function signingPairsOf(values: ManagerFlags): Readonly<Record<string, () => SigningPair>> {
  const common = { certFile: values.clusterSigningCertFile, keyFile: values.clusterSigningKeyFile };
  const own: Readonly<Record<string, SigningFiles>> = {
    [signerNames.kubeletServing]: {
      certFile: values.clusterSigningKubeletServingCertFile,
      keyFile: values.clusterSigningKubeletServingKeyFile,
    },
    [signerNames.kubeletClient]: {
      certFile: values.clusterSigningKubeletClientCertFile,
      keyFile: values.clusterSigningKubeletClientKeyFile,
    },
    [signerNames.apiServerClient]: {
      certFile: values.clusterSigningKubeApiserverClientCertFile,
      keyFile: values.clusterSigningKubeApiserverClientKeyFile,
    },
    [signerNames.legacyUnknown]: {
      certFile: values.clusterSigningLegacyUnknownCertFile,
      keyFile: values.clusterSigningLegacyUnknownKeyFile,
    },
  };
  const isNamed = ({ certFile, keyFile }: SigningFiles) => certFile !== '' || keyFile !== '';
  const hasCommon = common.certFile !== '' && common.keyFile !== '';
  if (!Object.values(own).some(isNamed)) {
    if (!hasCommon) return {};
    pairReader(common);
    return signedByOne(common);
  }
  if (hasCommon) throw new Error('cannot specify default and per controller certs at the same time');
  return Object.fromEntries(
    Object.entries(own)
      .filter(([, files]) => isNamed(files))
      .map(([signer, files]) => [signer, pairReader(files)]),
  );
}

function fileReader(file: string): () => string {
  const read = () => readFileSync(file, 'utf8');
  // Reports a missing file at the start.
  read();
  return read;
}

/** All signers use the same authority. */
export const signedByOne = (files: SigningFiles): Readonly<Record<string, () => SigningPair>> =>
  Object.fromEntries(Object.values(signerNames).map((signer) => [signer, () => readSigningPair(files)]));

function pairReader({ certFile, keyFile }: SigningFiles): () => SigningPair {
  const read = () => readSigningPair({ certFile, keyFile });
  read();
  return read;
}

const readSigningPair = ({ certFile, keyFile }: SigningFiles): SigningPair => ({
  certificate: readFileSync(certFile, 'utf8'),
  key: readFileSync(keyFile, 'utf8'),
});

const maskSizeDefaults = { ipv4: 24, ipv6: 64 };

/** `--node-cidr-mask-size` is for clusters with a single address family. */
function nodeRangesOf(values: ManagerFlags): NodeRangeSettings {
  const common = values.nodeCidrMaskSize;
  return {
    clusterRanges: listOf(values.clusterCidr),
    serviceRanges: listOf(values.serviceClusterIpRange),
    maskSizeIpv4: values.nodeCidrMaskSizeIpv4 || common || maskSizeDefaults.ipv4,
    maskSizeIpv6: values.nodeCidrMaskSizeIpv6 || common || maskSizeDefaults.ipv6,
  };
}

const listOf = (text: string): readonly string[] => text.split(',').filter((part) => part !== '');
