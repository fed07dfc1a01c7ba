/** The serving flags that all components share, and their conversion to settings. */
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
    bindAddress: ip({ default: '0.0.0.0', usage: 'The IP address to listen on.' }),
    securePort: int({ default: own.port, usage: 'The HTTPS port. 0 disables serving.' }),
    permitPortSharing: bool({ usage: 'Allow other processes to listen on the same port.' }),
    disableHttp2Serving: bool({ usage: 'Serve HTTP/1.1 only.' }),
    http2MaxStreamsPerConnection: int({
      usage: 'The maximum number of concurrent requests per connection. 0 means the default.',
    }),
    certDir: string({ usage: 'The directory for a generated certificate. Kept in memory if empty.' }),
    tlsCertFile: string({
      usage: 'The certificate file of the server. A certificate is generated if unset.',
    }),
    tlsPrivateKeyFile: string({ usage: 'The private key file for --tls-cert-file.' }),
    tlsMinVersion: string({ usage: 'The minimum TLS version.' }),
    tlsCipherSuites: stringSlice({ usage: 'Cipher suites for TLS 1.2. Defaults to modern suites.' }),
    tlsCurvePreferences: int32Slice({ usage: 'The allowed key exchanges, by number.' }),
  }),
  ...section('Authentication', {
    authenticationKubeconfig: string({
      usage: 'The kubeconfig file for the API server that reviews tokens.',
    }),
    authenticationSkipLookup: bool({
      usage: 'Do not read the authentication configuration from the API server.',
    }),
    authenticationTolerateLookupFailure: bool({
      default: own.toleratesLookupFailure,
      usage: 'Continue if the authentication configuration cannot be read from the API server.',
    }),
    authenticationTokenWebhookCacheTtl: duration({
      default: ttlMsDefault,
      usage: 'How long to cache token reviews.',
    }),
    clientCaFile: string({ usage: 'The CA certificate file for client certificates.' }),
    requestheaderClientCaFile: string({ usage: 'The CA certificate file for front proxies.' }),
    requestheaderAllowedNames: stringSlice({
      usage: 'The accepted common names of front proxies. If empty, all are accepted.',
    }),
    requestheaderUsernameHeaders: stringSlice({
      default: ['x-remote-user'],
      usage: 'Headers with the user name.',
    }),
    requestheaderUidHeaders: stringSlice({ usage: 'Headers with the UID of the user.' }),
    requestheaderGroupHeaders: stringSlice({
      default: ['x-remote-group'],
      usage: 'Headers with the groups of the user.',
    }),
    requestheaderExtraHeadersPrefix: stringSlice({
      default: ['x-remote-extra-'],
      usage: 'Prefixes of the headers with extra attributes of the user.',
    }),
  }),
  ...section('Authorization', {
    authorizationKubeconfig: string({ usage: 'The kubeconfig file for the API server that reviews access.' }),
    authorizationWebhookCacheAuthorizedTtl: duration({
      default: ttlMsDefault,
      usage: 'How long to cache allowed responses.',
    }),
    authorizationWebhookCacheUnauthorizedTtl: duration({
      default: ttlMsDefault,
      usage: 'How long to cache denied responses.',
    }),
    authorizationAlwaysAllowPaths: stringSlice({
      default: alwaysAllowPathsDefault,
      usage: 'Paths that are accessible without authorization.',
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
