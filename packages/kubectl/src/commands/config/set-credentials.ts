import { bool, string, stringArray, stringSlice, type FlagValues } from '@coxswain/cobra';
import type { ExecConfig, KubeconfigUser } from '@coxswain/client/kubeconfig/kubeconfig.ts';
import { command } from '../../command.ts';
import { completeUsers } from '../../completion/global.ts';
import type { CommandContext } from '../../context.ts';
import { KubeconfigStore } from '../../kubeconfig/stored.ts';
import { absolutePath, fileAsBase64, requireFile } from './files.ts';
import { refuseArguments } from './refuse-arguments.ts';

const flags = {
  authProvider: string({ usage: 'Authentication provider of the user' }),
  authProviderArg: stringSlice({
    usage: 'Argument of the authentication provider, as key=value; key- removes one',
  }),
  clientCertificate: string({ usage: 'Path to the client certificate file' }),
  clientKey: string({ usage: 'Path to the client key file' }),
  embedCerts: bool({ usage: 'Embed the client certificate and key in the kubeconfig' }),
  execApiVersion: string({ usage: 'API version of the credential plugin' }),
  execArg: stringSlice({ usage: 'Arguments of the credential plugin' }),
  execCommand: string({ usage: 'Command of the credential plugin' }),
  execEnv: stringArray({
    usage: 'Environment variable of the credential plugin, as key=value; key- removes one',
  }),
  execInteractiveMode: string({
    usage: 'Whether the credential plugin may use standard input: IfAvailable, Never or Always',
  }),
  execProvideClusterInfo: bool({ usage: 'Whether cluster information is passed to the credential plugin' }),
  password: string({ usage: 'Password for basic authentication' }),
  token: string({ usage: 'Bearer token for authentication' }),
  username: string({ usage: 'Username for basic authentication' }),
};

type Flags = FlagValues<typeof flags>;
type Changed = (flag: keyof Flags) => boolean;

export const setCredentials = command({
  use: 'set-credentials NAME [--client-certificate=path/to/certfile] [--client-key=path/to/keyfile] [--token=bearer_token] [--username=basic_user] [--password=basic_password] [--auth-provider=provider_name] [--auth-provider-arg=key=value] [--exec-command=exec_command] [--exec-api-version=exec_api_version] [--exec-arg=arg] [--exec-env=key=value]',
  long: `Set a user. If the user exists, values that are not given remain unchanged.

 A token and a user name with password are mutually exclusive: setting one removes the other.`,
  example: `  # A token
  kubectl config set-credentials ann --token=secret

  # A certificate, kept in the kubeconfig
  kubectl config set-credentials ann --client-certificate=ann.crt --client-key=ann.key --embed-certs

  # A program that gives credentials
  kubectl config set-credentials ann --exec-command=sign-in --exec-api-version=client.authentication.k8s.io/v1`,
  disableFlagsInUseLine: true,
  complete: completeUsers,
  flags,
  async run(invocation) {
    const { context, args, changed } = invocation;
    const [name] = args;
    if (args.length !== 1 || name === undefined)
      return refuseArguments(invocation, `unexpected args: [${args.join(' ')}]`);
    check(context, name, invocation.flags);
    const store = new KubeconfigStore(context);
    const before = store.config.users.get(name);
    const value: KubeconfigUser = { ...before?.value };
    setCertificates(context, value, invocation.flags, changed);
    setSecrets(value, invocation.flags, changed);
    setProvider(value, invocation.flags, changed);
    setProgram(value, invocation.flags, changed);
    store.config.users.set(name, { file: before?.file, value });
    store.save();
    context.print(`User "${name}" set.\n`);
  },
});

function check(context: CommandContext, name: string, given: Flags): void {
  if (name === '') throw new Error('you must specify a non-empty user name');
  if (given.token !== '' && (given.username !== '' || given.password !== '')) {
    throw new Error(
      'you cannot specify more than one authentication method at the same time: --token, --username/--password',
    );
  }
  if (given.embedCerts) {
    if (given.clientCertificate === '' && given.clientKey === '') {
      throw new Error('you must specify a --client-certificate or --client-key to embed');
    }
    if (given.clientCertificate !== '') requireFile(context, 'client-certificate', given.clientCertificate);
    if (given.clientKey !== '') requireFile(context, 'client-key', given.clientKey);
  }
  if (!['', 'IfAvailable', 'Never', 'Always'].includes(given.execInteractiveMode)) {
    throw new Error('invalid interactive mode type, can be only IfAvailable, Never, Always');
  }
}

function setCertificates(
  context: CommandContext,
  user: KubeconfigUser,
  given: Flags,
  changed: Changed,
): void {
  for (const [member, key] of [
    ['client-certificate', 'clientCertificate'],
    ['client-key', 'clientKey'],
  ] as const) {
    if (!changed(key)) continue;
    const path = given[key];
    user[member] = given.embedCerts ? '' : absolutePath(context, path);
    if (given.embedCerts || path !== '')
      user[`${member}-data`] = given.embedCerts ? fileAsBase64(context, path) : '';
  }
}

function setSecrets(user: KubeconfigUser, given: Flags, changed: Changed): void {
  for (const member of ['token', 'username', 'password'] as const)
    if (changed(member)) user[member] = given[member];
  if (given.token !== '') Object.assign(user, { username: '', password: '' });
  else if (given.username !== '' || given.password !== '') user.token = '';
}

interface Provider {
  readonly name: string;
  readonly config?: Readonly<Record<string, string>>;
}

function setProvider(user: KubeconfigUser, given: Flags, changed: Changed): void {
  let provider = (user['auth-provider'] ?? undefined) as Provider | undefined;
  if (changed('authProvider') && provider?.name !== given.authProvider)
    provider = { name: given.authProvider };
  if (provider === undefined) return;
  const { set, remove } = readPairs(given.authProviderArg, 'auth-provider-arg');
  const config = { ...provider.config, ...Object.fromEntries(set) };
  for (const key of remove) delete config[key];
  user['auth-provider'] = { config, name: provider.name };
}

function setProgram(user: KubeconfigUser, given: Flags, changed: Changed): void {
  if (changed('execCommand')) user.exec = { ...user.exec, command: given.execCommand, args: null };
  if (!user.exec) return;
  const exec: ExecConfig = { ...user.exec };
  if (changed('execApiVersion')) exec.apiVersion = given.execApiVersion;
  if (given.execArg.length > 0) exec.args = [...given.execArg];
  if (given.execInteractiveMode !== '')
    exec.interactiveMode = given.execInteractiveMode as NonNullable<ExecConfig['interactiveMode']>;
  if (changed('execProvideClusterInfo')) exec.provideClusterInfo = given.execProvideClusterInfo;
  if (given.execEnv.length > 0) {
    const { set, remove } = readPairs(given.execEnv, 'exec-env');
    const env = new Map((exec.env ?? []).map(({ name, value }) => [name, value]));
    for (const name of remove) env.delete(name);
    for (const [name, value] of set) env.set(name, value);
    exec.env = [...env].map(([name, value]) => ({ name, value }));
  }
  user.exec = exec;
}

function readPairs(
  words: readonly string[],
  flag: string,
): { readonly set: Map<string, string>; readonly remove: string[] } {
  const set = new Map<string, string>();
  const remove: string[] = [];
  for (const word of words) {
    const equals = word.indexOf('=');
    if (equals > 0) set.set(word.slice(0, equals), word.slice(equals + 1));
    else if (equals < 0 && word.endsWith('-') && word !== '-') remove.push(word.slice(0, -1));
    else throw new Error(`invalid ${flag} format: ${word}`);
  }
  return { set, remove };
}
