/** The global options of all commands. */
import { bool, duration, flagOf, string, stringArray, type FlagValues } from '@coxswain/cobra';

/** klog's verbosity. */
const level = flagOf<number>(
  {
    typeName: 'Level',
    read(text) {
      if (!/^[-+]?\d+$/.test(text)) throw new Error(`strconv.ParseInt: parsing "${text}": invalid syntax`);
      return Number(text);
    },
    show: String,
  },
  0,
);

const moduleSpec = flagOf<string>(
  { typeName: 'moduleSpec', read: (text) => text, show: (value) => value },
  '',
);

export const globalFlags = {
  as: string({
    usage: 'Run the request as this user or service account (system:serviceaccount:NAMESPACE:NAME)',
  }),
  asGroup: stringArray({ usage: 'Run the request as a member of this group; can be repeated' }),
  asUid: string({ usage: 'Run the request as the user with this UID' }),
  asUserExtra: stringArray({
    usage: 'Run the request with this extra user attribute, as KEY=VALUE; can be repeated',
  }),
  cacheDir: string({ usage: 'Default cache directory', default: '', shownDefault: '$HOME/.kube/cache' }),
  certificateAuthority: string({ usage: 'Path to the CA certificate file for verifying the server' }),
  clientCertificate: string({ usage: 'Path to a client certificate file for TLS' }),
  clientKey: string({ usage: 'Path to a client key file for TLS' }),
  cluster: string({ usage: 'The name of the kubeconfig cluster to use' }),
  context: string({ usage: 'The name of the kubeconfig context to use' }),
  disableCompression: bool({ usage: 'Request uncompressed responses from the server' }),
  insecureSkipTlsVerify: bool({
    usage: "Don't verify the certificate of the server. This makes connections insecure",
  }),
  kubeconfig: string({ usage: 'Path to the kubeconfig file' }),
  kuberc: string({
    usage: 'Path to the kuberc (preferences) file; set KUBECTL_KUBERC=false or KUBERC=off to disable it',
  }),
  logFlushFrequency: duration({ usage: 'Maximum number of seconds between log flushes', default: 5000 }),
  matchServerVersion: bool({ usage: 'Require the server version to match the client version' }),
  namespace: string({ shorthand: 'n', usage: 'The namespace to use for this request' }),
  password: string({ usage: 'Password for basic authentication to the API server' }),
  profile: string({
    usage: 'Name of the profile to capture. One of (none|cpu|heap|goroutine|threadcreate|block|mutex)',
    default: 'none',
  }),
  profileOutput: string({ usage: 'Name of the file to write the profile to', default: 'profile.pprof' }),
  requestTimeout: string({
    usage: 'Timeout of a single request, with a unit (1s, 2m, 3h); 0 means no timeout',
    default: '0',
  }),
  rich: string({
    hidden: true,
    usage: 'Rich output in terminals: on, off, or a list of color,live,progress,hints',
  }),
  server: string({ shorthand: 's', usage: 'The address and port of the API server' }),
  tlsServerName: string({
    usage: 'Server name for validating the server certificate; defaults to the host name of the server',
  }),
  token: string({ usage: 'Bearer token for authentication to the API server' }),
  user: string({ usage: 'The name of the kubeconfig user to use' }),
  username: string({ usage: 'Username for basic authentication to the API server' }),
  v: level({ shorthand: 'v', usage: 'The log level' }),
  vmodule: moduleSpec({
    usage: 'Comma-separated pattern=N pairs that set the log level of individual files',
  }),
  warningsAsErrors: bool({
    usage: 'Treat warnings from the server as errors and exit with a non-zero exit code',
  }),
};

export type GlobalFlags = FlagValues<typeof globalFlags>;
