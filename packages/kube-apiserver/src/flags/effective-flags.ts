/** The options that decide something. */
import { bool, duration, int, section, string, stringArray, stringSlice } from '@coxswain/cobra';
import type { FlagValues } from '@coxswain/cobra';
import { auditFlags } from '../audit/audit-flags.ts';
import { admissionFlags } from './admission-flags.ts';
import { authorizationFlags } from './authorization-flags.ts';
import { storageFlags } from './storage-flags.ts';
import { preferredAddressTypesDefault } from '../proxy/network-kubelets.ts';

export const effectiveFlags = {
  ...section('Generic', {
    advertiseAddress: string({ usage: 'The address that others are told to reach this server at.' }),
    corsAllowedOrigins: stringSlice({
      usage: 'Regular expressions of origins that browsers may send requests from.',
    }),
    featureGates: stringSlice({ usage: 'Pairs name=bool that switch features on and off.' }),
    maxMutatingRequestsInflight: int({ default: 200, usage: 'Writes at once; 0 for no limit.' }),
    maxRequestsInflight: int({ default: 400, usage: 'Reads at once; 0 for no limit.' }),
    minRequestTimeout: int({ default: 1800, usage: 'The least number of seconds before a watch is ended.' }),
    requestTimeout: duration({ default: 60_000, usage: 'How long a request may take that is no watch.' }),
    shutdownDelayDuration: duration({
      default: 0,
      usage: 'How long the server goes on after it was told to stop.',
    }),
    strictTransportSecurityDirectives: stringSlice({
      usage: 'Directives of the header Strict-Transport-Security.',
    }),
  }),
  ...section('Storage', {
    dataDir: string({
      usage: 'The directory of the embedded store. Without it and --etcd-servers nothing is kept.',
    }),
    durability: string({
      default: 'sync',
      usage:
        "When a write to the embedded store is answered: 'sync' when the disk has it, 'relaxed' when the operating system has it.",
    }),
    quotaBackendBytes: int({
      default: 8 * 1024 ** 3,
      usage:
        'The size at which the embedded store takes no more writes but deletes, in bytes. 0 for no bound.',
    }),
    unsafeNoFsync: bool({ usage: 'Acknowledge writes before they are safe from a loss of power.' }),
    etcdCompactionInterval: duration({
      default: 300_000,
      usage: 'How long the past is kept, for watches and pages of lists; 0 keeps it until somebody compacts.',
    }),
    watchCache: bool({ default: true, usage: 'Let watches begin further in the past than the store goes.' }),
    watchCacheSizes: stringSlice({
      usage:
        'Pairs resource[.group]#size; of a resource with size 0 no past is kept beside that of the store.',
    }),
  }),
  ...storageFlags,
  ...section('Secure serving', {
    bindAddress: string({ default: '0.0.0.0', usage: 'The address to listen on.' }),
    certDir: string({
      default: '/var/run/kubernetes',
      usage: 'Where apiserver.crt and apiserver.key are, or are put when the server makes them.',
    }),
    http2MaxStreamsPerConnection: int({
      name: 'http2-max-streams-per-connection',
      usage: 'Streams at once that a client may open; 0 for the default.',
    }),
    securePort: int({ default: 6443, usage: 'The port to listen on.' }),
    tlsCertFile: string({ usage: 'The certificate that the server shows.' }),
    tlsPrivateKeyFile: string({ usage: 'The key of --tls-cert-file.' }),
  }),
  ...auditFlags,
  ...section('Features', {
    enablePriorityAndFairness: bool({
      default: true,
      usage: 'Share what is worked on at once fairly among clients, by priority levels and flow schemas.',
    }),
  }),
  ...section('Authentication', {
    anonymousAuth: bool({
      default: true,
      usage: 'Let in requests without credentials, as system:anonymous.',
    }),
    apiAudiences: stringSlice({ usage: 'What this server calls itself in tokens.' }),
    clientCaFile: string({ usage: 'Authorities whose client certificates are accepted.' }),
    serviceAccountExtendTokenExpiration: bool({
      default: true,
      usage: 'Let tokens that pods mount live longer than asked for.',
    }),
    serviceAccountIssuer: stringArray({ usage: 'The issuer of tokens; more are accepted.' }),
    serviceAccountKeyFile: stringArray({ usage: 'Keys or certificates by which tokens are verified.' }),
    serviceAccountMaxTokenExpiration: duration({ default: 0, usage: 'The longest life of a token.' }),
    tokenAuthFile: string({ usage: 'A CSV file of tokens: token, user, uid, "groups".' }),
  }),
  ...authorizationFlags,
  ...section('API enablement', {
    runtimeConfig: string({
      usage:
        'Pairs group/version=bool, or api/all=bool, that switch versions on and off; api/legacy=true serves those of Kubernetes 1.20 too.',
    }),
  }),
  ...admissionFlags,
  ...section('Logs', { v: int({ shorthand: 'v', usage: 'How much is logged; from 3 on, every request.' }) }),
  ...section('Misc', {
    allowPrivileged: bool({ usage: 'Let pods have privileged containers.' }),
    enableAggregatorRouting: bool({
      usage: 'Ask endpoints of extension servers, not the addresses of their services.',
    }),
    eventTtl: duration({ default: 3_600_000, usage: 'How long events are kept.' }),
    kubeletCertificateAuthority: string({
      usage: 'The authority of kubelets’ certificates; unchecked without it.',
    }),
    kubeletClientCertificate: string({ usage: 'The certificate shown to kubelets.' }),
    kubeletClientKey: string({ usage: 'The key of --kubelet-client-certificate.' }),
    kubeletPreferredAddressTypes: stringSlice({
      default: preferredAddressTypesDefault,
      usage: 'Which of a node’s addresses to take, the best first.',
    }),
    proxyClientCertFile: string({ usage: 'The certificate shown to extension servers.' }),
    proxyClientKeyFile: string({ usage: 'The key of --proxy-client-cert-file.' }),
    serviceAccountSigningKeyFile: string({ usage: 'The key that tokens are signed with.' }),
    serviceClusterIpRange: string({
      usage: 'Ranges of the addresses of services: one, or one of each family.',
    }),
    serviceNodePortRange: string({
      default: '30000-32767',
      usage: 'The ports that nodes open for services.',
    }),
  }),
  ...section('Global', { version: bool({ usage: 'Print the version and leave.' }) }),
};

export type ApiServerFlags = FlagValues<typeof effectiveFlags>;
