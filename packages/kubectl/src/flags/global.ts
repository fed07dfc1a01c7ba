/** The options that all commands have. */
import { bool, duration, flagOf, string, stringArray, type FlagValues } from '@coxswain/cobra';

/** klog's level of detail. */
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
    usage: 'Act as this user. A service account is written system:serviceaccount:NAMESPACE:NAME.',
  }),
  asGroup: stringArray({ usage: 'Act as a member of this group; may be given several times.' }),
  asUid: string({ usage: 'Act as the user of this UID.' }),
  asUserExtra: stringArray({ usage: 'Act with this extra value (KEY=VALUE); may be given several times.' }),
  cacheDir: string({ usage: 'Where discovery is cached', default: '', shownDefault: '$HOME/.kube/cache' }),
  certificateAuthority: string({ usage: 'File of the certificates by which the server is trusted' }),
  clientCertificate: string({ usage: 'File of the certificate to show to the server' }),
  clientKey: string({ usage: 'File of the key of that certificate' }),
  cluster: string({ usage: 'Which cluster of the kubeconfig' }),
  context: string({ usage: 'Which context of the kubeconfig' }),
  disableCompression: bool({ usage: 'Ask for answers without compression' }),
  insecureSkipTlsVerify: bool({
    usage: 'Trust any server, whatever certificate it shows. Connections are then insecure.',
  }),
  kubeconfig: string({ usage: 'Which kubeconfig file' }),
  kuberc: string({ usage: 'Which file of preferences. Set KUBECTL_KUBERC=false or KUBERC=off for none.' }),
  logFlushFrequency: duration({ usage: 'Longest time between two flushes of the log', default: 5000 }),
  matchServerVersion: bool({ usage: 'Refuse servers of another version' }),
  namespace: string({ shorthand: 'n', usage: 'Namespace of the request' }),
  password: string({ usage: 'Password for basic authentication' }),
  profile: string({
    usage: 'What to profile: none, cpu, heap, goroutine, threadcreate, block or mutex',
    default: 'none',
  }),
  profileOutput: string({ usage: 'File for the profile', default: 'profile.pprof' }),
  requestTimeout: string({
    usage: 'How long one request may take, with a unit (1s, 2m, 3h). 0 for no limit.',
    default: '0',
  }),
  rich: string({ hidden: true, usage: 'For people at a terminal: on, off, or color,live,progress,hints' }),
  server: string({ shorthand: 's', usage: 'Address of the API server' }),
  tlsServerName: string({ usage: "Name that the server's certificate must have, if not its host name" }),
  token: string({ usage: 'Bearer token to send' }),
  user: string({ usage: 'Which user of the kubeconfig' }),
  username: string({ usage: 'Name for basic authentication' }),
  v: level({ shorthand: 'v', usage: 'How much to log' }),
  vmodule: moduleSpec({ usage: 'pattern=N pairs, comma separated, of log levels per file' }),
  warningsAsErrors: bool({ usage: 'Exit with an error when the server sent warnings' }),
};

export type GlobalFlags = FlagValues<typeof globalFlags>;
