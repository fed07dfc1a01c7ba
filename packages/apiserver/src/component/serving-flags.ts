/** The flags of serving that all components share, and what they say as settings. */
import {
  bool,
  duration,
  int,
  int32Slice,
  ip,
  section,
  string,
  stringSlice,
  type FlagValues,
} from '@coxswain/cobra';
import { alwaysAllowPathsDefault } from '../authorization/fixed.ts';
import type { ServingSettings } from './serving-settings.ts';

const ttlMsDefault = 10_000;

export const servingFlags = (own: { readonly port: number; readonly toleratesLookupFailure: boolean }) => ({
  ...section('Secure serving', {
    bindAddress: ip({ default: '0.0.0.0', usage: 'The address to serve on.' }),
    securePort: int({ default: own.port, usage: 'The port to serve HTTPS on; 0 for none.' }),
    permitPortSharing: bool({ usage: 'Let other processes listen on the same port.' }),
    disableHttp2Serving: bool({ usage: 'Speak HTTP/1.1 only.' }),
    http2MaxStreamsPerConnection: int({ usage: 'Requests at once on one connection; 0 for the default.' }),
    certDir: string({ usage: 'Where a certificate that is made is kept; in memory when empty.' }),
    tlsCertFile: string({ usage: 'The certificate to serve with; one is made when none is named.' }),
    tlsPrivateKeyFile: string({ usage: 'The key of the certificate.' }),
    tlsMinVersion: string({ usage: 'The oldest version of TLS that is spoken.' }),
    tlsCipherSuites: stringSlice({ usage: 'Cipher suites of TLS 1.2; modern ones when empty.' }),
    tlsCurvePreferences: int32Slice({ usage: 'Ways to agree on a key, by number.' }),
  }),
  ...section('Authentication', {
    authenticationKubeconfig: string({ usage: 'How to reach the API server that is asked about tokens.' }),
    authenticationSkipLookup: bool({ usage: "Don't ask the API server which authorities it believes." }),
    authenticationTolerateLookupFailure: bool({
      default: own.toleratesLookupFailure,
      usage: 'Go on when the API server does not tell which authorities it believes.',
    }),
    authenticationTokenWebhookCacheTtl: duration({
      default: ttlMsDefault,
      usage: 'How long answers about tokens are kept.',
    }),
    clientCaFile: string({ usage: 'The authorities whose client certificates are believed.' }),
    requestheaderClientCaFile: string({ usage: 'The authorities that vouch for front proxies.' }),
    requestheaderAllowedNames: stringSlice({ usage: 'Common names of front proxies; all when empty.' }),
    requestheaderUsernameHeaders: stringSlice({
      default: ['x-remote-user'],
      usage: 'Headers that name the user.',
    }),
    requestheaderUidHeaders: stringSlice({ usage: "Headers that tell the user's uid." }),
    requestheaderGroupHeaders: stringSlice({
      default: ['x-remote-group'],
      usage: "Headers that tell the user's groups.",
    }),
    requestheaderExtraHeadersPrefix: stringSlice({
      default: ['x-remote-extra-'],
      usage: 'What headers with more about the user begin with.',
    }),
  }),
  ...section('Authorization', {
    authorizationKubeconfig: string({ usage: 'How to reach the API server that is asked about rights.' }),
    authorizationWebhookCacheAuthorizedTtl: duration({
      default: ttlMsDefault,
      usage: 'How long a permission is remembered.',
    }),
    authorizationWebhookCacheUnauthorizedTtl: duration({
      default: ttlMsDefault,
      usage: 'How long a refusal is remembered.',
    }),
    authorizationAlwaysAllowPaths: stringSlice({
      default: alwaysAllowPathsDefault,
      usage: 'Paths that everybody may read.',
    }),
  }),
});

export type ServingFlagValues = FlagValues<ReturnType<typeof servingFlags>>;

export const servingSettingsOf = (values: ServingFlagValues): ServingSettings => ({
  bindAddress: values.bindAddress,
  port: values.securePort,
  sharesPort: values.permitPortSharing,
  servesHttp2: !values.disableHttp2Serving,
  concurrentStreams: values.http2MaxStreamsPerConnection,
  certDir: values.certDir,
  tlsCertFile: values.tlsCertFile,
  tlsPrivateKeyFile: values.tlsPrivateKeyFile,
  tlsMinVersion: values.tlsMinVersion,
  tlsCipherSuites: values.tlsCipherSuites,
  tlsCurves: values.tlsCurvePreferences,
  clientCaFile: values.clientCaFile,
  requestHeaderCaFile: values.requestheaderClientCaFile,
  requestHeaderAllowedNames: values.requestheaderAllowedNames,
  requestHeaders: {
    usernameHeaders: values.requestheaderUsernameHeaders,
    uidHeaders: values.requestheaderUidHeaders,
    groupHeaders: values.requestheaderGroupHeaders,
    extraHeaderPrefixes: values.requestheaderExtraHeadersPrefix,
  },
  skipsLookup: values.authenticationSkipLookup,
  toleratesLookupFailure: values.authenticationTolerateLookupFailure,
  tokenTtlMs: values.authenticationTokenWebhookCacheTtl,
  authorizedTtlMs: values.authorizationWebhookCacheAuthorizedTtl,
  unauthorizedTtlMs: values.authorizationWebhookCacheUnauthorizedTtl,
  alwaysAllowPaths: values.authorizationAlwaysAllowPaths,
});

export const servingSettingsDefault: ServingSettings = {
  bindAddress: '127.0.0.1',
  port: 0,
  sharesPort: false,
  servesHttp2: true,
  concurrentStreams: 0,
  certDir: '',
  tlsCertFile: '',
  tlsPrivateKeyFile: '',
  tlsMinVersion: '',
  tlsCipherSuites: [],
  tlsCurves: [],
  clientCaFile: '',
  requestHeaderCaFile: '',
  requestHeaderAllowedNames: [],
  requestHeaders: {
    usernameHeaders: ['x-remote-user'],
    uidHeaders: [],
    groupHeaders: ['x-remote-group'],
    extraHeaderPrefixes: ['x-remote-extra-'],
  },
  skipsLookup: false,
  toleratesLookupFailure: false,
  tokenTtlMs: ttlMsDefault,
  authorizedTtlMs: ttlMsDefault,
  unauthorizedTtlMs: ttlMsDefault,
  alwaysAllowPaths: alwaysAllowPathsDefault,
};
